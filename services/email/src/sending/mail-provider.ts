import { judgeAnswer } from './judge-answer.js';
import type { Mail } from './mail.js';
import { mayHeal, type Outcome, tellingOf } from './outcome.js';

/** Larger than any answer that means something to us. */
const ANSWER_BYTES = 65_536;

/** The mail provider's HTTP API. */
export class MailProvider {
  private readonly url: string;

  constructor(
    baseUrl: string,
    private readonly timeoutMs: number,
  ) {
    this.url = new URL('messages', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`).toString();
  }

  /** Sends once per key, however often it is called: the provider answers a repeated key with its first acceptance. Never throws. */
  async send(key: string, mail: Mail): Promise<Outcome> {
    try {
      const response = await this.post(key, mail);
      const answer = { status: response.status, body: await readBounded(response), retryAfter: response.headers.get('retry-after') };
      return judgeAnswer(answer, new Date());
    } catch (error) {
      return tellingOf('down', mayHeal(explainNoAnswer(error)));
    }
  }

  private post(key: string, mail: Mail): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', 'idempotency-key': headerSafe(key) },
      body: JSON.stringify(mail),
      signal: AbortSignal.timeout(this.timeoutMs),
    });
  }
}

/** An id may hold any text, a header may not. Ids of visible ASCII stay as they are, and no two ids become one. */
const headerSafe = (key: string) => key.toWellFormed().replace(/[^\x21-\x7e]|%/gu, encodeURIComponent);

/** The JSON of the body; undefined for anything else, or for more than {@link ANSWER_BYTES}. */
async function readBounded(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy's error page: its status says enough
  }
}

function explainNoAnswer(error: unknown): string {
  if (!(error instanceof Error)) return `mail provider cannot be reached: ${String(error)}`;
  if (error.name === 'TimeoutError') return 'mail provider timed out';
  const { cause } = error;
  const detail = cause instanceof Error ? cause.message || (cause as { code?: string }).code || cause.name : error.message;
  return `mail provider cannot be reached: ${detail}`;
}
