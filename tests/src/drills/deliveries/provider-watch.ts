import { setTimeout as delay } from 'node:timers/promises';
import type { Mail, Orders, Stats } from '@shopflow/local/mail-provider';

const LOOK_MS = 500;
const ANSWER_MS = 2_000;

/** What the mail provider says of itself, through its crashes: it counts calls from each start anew. */
export class ProviderWatch {
  mostAtOnce = 0;

  constructor(private readonly url: string) {}

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look().catch(() => undefined); // it is away at the moment
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async look(): Promise<void> {
    const { mostAtOnce } = (await this.get('stats')) as Stats;
    this.mostAtOnce = Math.max(this.mostAtOnce, mostAtOnce);
  }

  /** What customers received. */
  inbox = async (): Promise<Mail[]> => (await this.get('inbox')) as Mail[];

  async control(orders: Orders): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/control`, { method: 'POST', headers, body: JSON.stringify(orders) });
    if (!answer.ok) throw new Error(`the mail provider answers ${answer.status}`);
  }

  private async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.url}/${path}`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.json();
  }
}
