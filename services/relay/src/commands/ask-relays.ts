/** What one instance of the relay says of a source. */
export interface RelayView {
  readonly url: string;
  /** Null: the instance does not answer, or does not have the source. */
  readonly state: string | null;
  readonly reason: string | null;
  readonly since: string | null;
  /** Events that Kafka accepted from this instance. */
  readonly published: number | null;
}

export interface AskedRelay {
  of(source: string): RelayView;
}

const ANSWER_MS = 2_500;
type Told = Omit<RelayView, 'url'> & { readonly source: string };

/** Asks every instance that is known for its view of all sources. One that is dead is part of the answer. */
export function askRelays(urls: readonly string[]): Promise<AskedRelay[]> {
  return Promise.all(urls.map(askRelay));
}

async function askRelay(url: string): Promise<AskedRelay> {
  const unknown = (reason: string): RelayView => ({ url, state: null, reason, since: null, published: null });
  try {
    const answer = await fetch(`${url}/status`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    const { sources } = (await answer.json()) as { sources: readonly Told[] };
    return { of: (name) => viewOf(url, sources, name) ?? unknown('it does not publish this source') };
  } catch (error) {
    return { of: () => unknown(`no answer: ${reasonOf(error)}`) };
  }
}

function viewOf(url: string, sources: readonly Told[], name: string): RelayView | undefined {
  const told = sources.find(({ source }) => source === name);
  return told && { url, state: told.state, reason: told.reason, since: told.since, published: told.published };
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause as { code?: string; message?: string } | undefined;
  return cause?.code ?? cause?.message ?? (error as Error).message;
}
