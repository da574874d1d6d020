import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../consumer/random.js';

/** What is wrong with an invoice; old data is like that. */
export type Flaw = 'no address' | 'no amount' | undefined;

export interface Request {
  readonly number: string;
  readonly flaw: Flaw;
  /** How many ask for it at the same moment. */
  readonly clicks: number;
  /** The delivery of each 202. */
  readonly accepted: number[];
  invoiceId: number | undefined;
}

const ANSWER_MS = 5_000;
const AGAIN_MS = 500;

/** Imports invoices and asks for them to be sent, at a steady rate; asks again where nothing or no 202 was answered. */
export class Customer {
  readonly requests: Request[] = [];

  constructor(
    private readonly url: string,
    private readonly random: Random,
    private readonly perSecond: number,
  ) {}

  /** Until the signal; then those who wait for an answer get one, unless `giveUp` comes first. */
  async run(signal: AbortSignal, giveUp: AbortSignal): Promise<void> {
    const asking: Promise<void>[] = [];
    for (let next = performance.now(); !signal.aborted; next += 1_000 / this.perSecond) {
      await delay(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) asking.push(this.ask(this.draw(), giveUp));
    }
    await Promise.all(asking);
  }

  get accepted(): number {
    return this.requests.reduce((sum, { accepted }) => sum + accepted.length, 0);
  }

  private draw(): Request {
    const number = `INV-D${String(this.requests.length + 1).padStart(5, '0')}`;
    const luck = this.random.next();
    const flaw = luck < 0.03 ? 'no address' : luck < 0.05 ? 'no amount' : undefined;
    const request = { number, flaw, clicks: this.random.chance(0.3) ? 2 : 1, accepted: [], invoiceId: undefined } satisfies Request;
    this.requests.push(request);
    return request;
  }

  private async ask(request: Request, giveUp: AbortSignal): Promise<void> {
    const { number, flaw } = request;
    const customerEmail = flaw === 'no address' ? 'not-an-email' : `${number.toLowerCase()}@example.ng`;
    const invoice = { number, customerEmail, dueOn: '2026-10-30', ...(flaw === 'no amount' ? {} : { amountKobo: 4_500_000 }) };
    const imported = await this.until(201, '/invoices', invoice, giveUp);
    if (imported === undefined) return;
    request.invoiceId = Number(imported['invoiceId']);
    const click = async () => {
      const answer = await this.until(202, `/invoices/${request.invoiceId}/send`, undefined, giveUp);
      if (answer !== undefined) request.accepted.push(Number(answer['deliveryId']));
    };
    await Promise.all(Array.from({ length: request.clicks }, click));
  }

  /** Both calls may be repeated as often as one likes. @returns undefined when it was given up */
  private async until(wanted: number, path: string, body: object | undefined, giveUp: AbortSignal): Promise<Answer | undefined> {
    while (!giveUp.aborted) {
      const answer = await this.post(path, body).catch(() => undefined); // the service or its database is away
      if (answer?.status === wanted) return (await answer.json()) as Answer;
      await delay(AGAIN_MS);
    }
    return undefined;
  }

  private post(path: string, body: object | undefined): Promise<Response> {
    const content = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return fetch(this.url + path, { method: 'POST', signal: AbortSignal.timeout(ANSWER_MS), ...content });
  }
}

type Answer = Readonly<Record<string, unknown>>;
