import type { Transaction } from '@shopflow/database';
import type { Breaker } from './breaker/breaker.js';
import { refuseIfAllFailAlike } from './breaker/refuse-if-all-fail-alike.js';
import { buryEvent, type DeathOfEvent } from './bury-event.js';
import { causeOf } from './cause-of.js';
import type { BuriedEvent, HeldNotice } from './chunk.js';
import { decideFailure } from './decide-failure.js';
import { type Candidate, type EventItem, handlerOf, labelOf } from './event-item.js';
import type { Standing } from './held/held-event.js';
import { heldKeyOf, keyText } from './held/held-key.js';
import { type EventToHold, holdEvents } from './held/hold-events.js';
import { holdKeys } from './held/lock-held-keys.js';
import { identityKey } from './identify-event.js';
import type { DelaysMs } from './retry/tier.js';
import type { WakeUp } from './retry/wake-up.js';
import type { Supervisor } from './run-items.js';

export interface OutcomeOptions {
  readonly group: string;
  readonly breaker: Breaker;
  readonly clock: () => Date;
  readonly delaysMs: DelaysMs;
}

/** How the fresh events of a chunk end: collected while they run, written down at the end. */
export class EventOutcomes implements Supervisor {
  readonly ran: EventItem[] = [];
  private readonly toHold: EventToHold[] = [];
  private readonly toBury: { candidate: Candidate; dead: DeathOfEvent }[] = [];
  /** Keys that are held because of this chunk. */
  private readonly closed = new Set<string>();

  /** @param held keys that were held before, as `keyText` writes them */
  constructor(
    private readonly held: ReadonlySet<string>,
    private readonly options: OutcomeOptions,
  ) {}

  /** True when the event has to wait because an earlier one of its key does; then it does. */
  follows(candidate: Candidate): boolean {
    if (this.held.size === 0 && this.closed.size === 0) return false;
    const key = keyText(heldKeyOf(candidate.record, candidate.identity));
    if (!this.held.has(key) && !this.closed.has(key)) return false;
    this.toHold.push({ candidate, standing: { waitsFor: 'its turn', attempts: 0, dueAt: this.options.clock(), failure: null } });
    return true;
  }

  mayRun(item: EventItem): boolean {
    return this.closed.size === 0 || !this.follows(item);
  }

  handled(items: readonly EventItem[]): void {
    this.ran.push(...items);
    this.options.breaker.succeeded(handlerOf(items[0]!));
  }

  /** @throws BreakerOpenError when everything fails like this */
  failed(candidate: Candidate, error: unknown): true {
    const handler = handlerOf(candidate);
    const cause = causeOf(error, handler);
    refuseIfAllFailAlike(this.options.breaker, { handler, event: identityKey(candidate.identity), cause, error });
    const decision = decideFailure(error, { attempts: 0, firstFailedAt: null }, { ...this.options, now: this.options.clock() });
    if (decision.to === 'hold') this.hold(candidate, decision.standing);
    else this.bury(candidate, { ...decision, cause });
    return true;
  }

  get followers(): number {
    return this.toHold.filter(({ standing }) => standing.failure === null).length;
  }

  get heldNotices(): HeldNotice[] {
    return this.toHold
      .filter(({ standing }) => standing.failure !== null && standing.waitsFor !== 'a decision')
      .map(({ candidate, standing }) => ({ ...labelOf(candidate), standing }));
  }

  /** Of the heads that this chunk has made. */
  get wakeUps(): WakeUp[] {
    return this.toHold.flatMap(({ candidate: { record, identity }, standing: { waitsFor, failure, dueAt, attempts } }) =>
      waitsFor === 'retry' && failure
        ? [{ topic: record.topic, key: heldKeyOf(record, identity), dueAt, attempts, record, ...failure }]
        : [],
    );
  }

  /** Holds and buries, in the transaction that claimed the events. */
  async write(tx: Transaction, topic: string): Promise<BuriedEvent[]> {
    const { group } = this.options;
    this.toHold.sort((a, b) => a.candidate.record.offset - b.candidate.record.offset);
    const keys = this.newKeys();
    if (keys.length > 0) await holdKeys(tx, group, topic, keys);
    await holdEvents(tx, group, this.toHold);
    const buried: BuriedEvent[] = [];
    for (const { candidate, dead } of this.toBury) buried.push(await buryEvent(tx, group, candidate, dead));
    return buried;
  }

  private hold(candidate: Candidate, standing: Standing): void {
    this.toHold.push({ candidate, standing });
    this.closed.add(keyText(heldKeyOf(candidate.record, candidate.identity)));
  }

  private bury(candidate: Candidate, dead: DeathOfEvent): void {
    this.toBury.push({ candidate, dead });
    if (candidate.subscriber?.subscription.afterDeath !== 'block') return;
    const { attempts, failure } = dead;
    this.hold(candidate, { waitsFor: 'a decision', attempts, dueAt: failure.lastFailedAt, failure });
  }

  /** Each key that was not held, with the standing of its first event. */
  private newKeys(): { topic: string; key: Buffer; dueAt: Date | 'infinity' }[] {
    const keys = new Map<string, { topic: string; key: Buffer; dueAt: Date | 'infinity' }>();
    for (const { candidate, standing } of this.toHold) {
      const key = heldKeyOf(candidate.record, candidate.identity);
      const text = keyText(key);
      if (this.held.has(text) || keys.has(text)) continue;
      keys.set(text, { topic: candidate.record.topic, key, dueAt: standing.waitsFor === 'a decision' ? 'infinity' : standing.dueAt });
    }
    return [...keys.values()];
  }
}
