import type { Arrival, Decision, Replay } from './arrivals.js';
import type { EventRow } from './event-row.js';
import { Flight } from './flight.js';

/** What has to be asked for before anything behind it can be loaded. */
export type Stop = Replay | Decision | { readonly kind: 'unknown topic'; readonly topic: string };

/** Puts an event where it goes, or says why not yet. */
export type LoadEvent = (flight: Flight, row: EventRow) => 'loaded' | 'full' | { readonly unknown: string };

/**
 * What has arrived and is not sent yet. Flights need no timer: whatever came while the last one was on its way is the next one, so they
 * are small when it is quiet and grow with the backlog. Rows are written into the next flight's batches as they come, while the last
 * one flies; while it holds no more, they wait, and the stream is held back.
 */
export class Outgoing {
  private open = new Flight();
  private waiting: Arrival[] = [];
  /** Of `waiting`, how many are loaded. */
  private taken = 0;
  private wake: (() => void) | undefined;
  private unknownTopic: string | undefined;

  /** @param onHeld told whether something waits */
  constructor(
    private readonly load: LoadEvent,
    private readonly onHeld: (held: boolean) => void,
  ) {}

  add(arrival: Arrival): void {
    if (this.taken < this.waiting.length || !this.take(arrival)) this.queue(arrival);
    this.wake?.();
  }

  /** The next flight, or what keeps it from being loaded. @throws the signal's reason */
  async next(signal: AbortSignal): Promise<Flight | Stop> {
    for (;;) {
      signal.throwIfAborted();
      this.fill();
      if (!this.open.isEmpty) return this.close();
      const stop = this.stop();
      if (stop !== undefined) return stop;
      await this.somethingArrives(signal);
    }
  }

  /** What stopped the flights is done with: a replay, in place of which its event goes on, if it has one. */
  passed(event?: EventRow): void {
    if (event === undefined) this.taken += 1;
    else this.waiting[this.taken] = event;
  }

  /** What is loaded already, and has not left. */
  get loaded(): Flight {
    return this.open;
  }

  private close(): Flight {
    const flight = this.open;
    this.open = new Flight();
    this.fill();
    return flight;
  }

  private fill(): void {
    if (this.waiting.length === 0) return;
    while (this.taken < this.waiting.length && this.take(this.waiting[this.taken]!)) this.taken += 1;
    if (this.taken < this.waiting.length) return;
    this.waiting = [];
    this.taken = 0;
    this.onHeld(false);
  }

  private take(arrival: Arrival): boolean {
    switch (arrival.kind) {
      case 'event':
        return this.takeEvent(arrival);
      case 'position':
        this.open.position = arrival.lsn;
        return true;
      case 'snapshot':
        this.open.snapshot = arrival;
        return true;
      case 'replay':
      case 'decision':
        return false;
    }
  }

  private takeEvent(row: EventRow): boolean {
    const answer = this.load(this.open, row);
    this.unknownTopic = typeof answer === 'string' ? undefined : answer.unknown;
    return answer === 'loaded';
  }

  private stop(): Stop | undefined {
    const first = this.waiting[this.taken];
    if (first?.kind === 'replay' || first?.kind === 'decision') return first;
    return this.unknownTopic === undefined ? undefined : { kind: 'unknown topic', topic: this.unknownTopic };
  }

  /**
   * Of several positions, or snapshots, without an event between them only the last one matters: what waits does not grow while Kafka
   * is away from a quiet outbox.
   */
  private queue(arrival: Arrival): void {
    const last = this.waiting.length - 1;
    for (let at = last; at >= this.taken && at > last - 2; at--) {
      const { kind } = this.waiting[at]!;
      if (kind !== 'position' && kind !== 'snapshot') break;
      if (kind === arrival.kind) return void (this.waiting[at] = arrival);
    }
    this.waiting.push(arrival.kind === 'event' ? arrival.kept() : arrival);
    if (this.waiting.length === 1) this.onHeld(true);
  }

  private async somethingArrives(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => reject(signal.reason);
    this.wake = resolve;
    signal.addEventListener('abort', abort);
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      this.wake = undefined;
    }
  }
}
