import type { OutboxRow } from './outbox-row.js';

/** What an outbox's stream brings, in its order. Positions and snapshots hold once everything before them is accepted. */
export type Arrival =
  | { readonly kind: 'event'; readonly row: OutboxRow }
  | { readonly kind: 'replay'; readonly eventId: string; readonly who: string; readonly why: string; readonly xid: string }
  | { readonly kind: 'position'; readonly lsn: bigint }
  | { readonly kind: 'snapshot'; readonly lsn: bigint; readonly snapshot: string };

export type Publishable = Extract<Arrival, { kind: 'event' | 'replay' }>;

export interface Batch {
  readonly publish: readonly Publishable[];
  /** To acknowledge once the batch is accepted. */
  readonly position: bigint | undefined;
  readonly snapshot: { readonly lsn: bigint; readonly snapshot: string } | undefined;
}

interface Waiting {
  arrival: Arrival;
  bytes: number;
}

/** One send takes at most this much, so that a restart repeats little. */
export const BATCH_BYTES = 2 * 1024 * 1024;

/**
 * What has arrived and is not taken yet. Batches need no timer: whatever came while the last one was on its way is the
 * next one, so they are small when it is quiet and grow with the backlog.
 */
export class Arrivals {
  private waiting: Waiting[] = [];
  private wake: (() => void) | undefined;
  private held = 0;

  /** @param onHeld told after each change how many bytes are held, so that the stream can be paused */
  constructor(private readonly onHeld: (bytes: number) => void) {}

  /** @param bytes what it takes in memory; 0 for what is small */
  add(arrival: Arrival, bytes: number): void {
    const replaced = isPublishable(arrival) ? undefined : this.sinceLastEvent(arrival.kind);
    const before = replaced?.bytes ?? 0;
    if (replaced === undefined) this.waiting.push({ arrival, bytes });
    else Object.assign(replaced, { arrival, bytes });
    this.changeHeld(bytes - before);
    this.wake?.();
  }

  /** Waits for something to arrive and takes up to {@link BATCH_BYTES} of it. @throws the signal's reason */
  async take(signal: AbortSignal): Promise<Batch> {
    while (this.waiting.length === 0) await this.somethingArrives(signal);
    signal.throwIfAborted();
    let bytes = 0;
    let count = 0;
    while (count < this.waiting.length && bytes < BATCH_BYTES) bytes += this.waiting[count++]!.bytes;
    const taken = count === this.waiting.length ? this.waiting : this.waiting.slice(0, count);
    this.waiting = count === this.waiting.length ? [] : this.waiting.slice(count);
    this.changeHeld(-bytes);
    return toBatch(taken.map(({ arrival }) => arrival));
  }

  /**
   * Of several positions, or snapshots, without an event between them only the last one matters: what waits does not grow
   * while Kafka is away from a quiet outbox. So no more than one of each ever stands behind the last event.
   */
  private sinceLastEvent(kind: 'position' | 'snapshot'): Waiting | undefined {
    const last = this.waiting.findLast(({ arrival }) => arrival.kind === kind || isPublishable(arrival));
    return last?.arrival.kind === kind ? last : undefined;
  }

  private changeHeld(bytes: number): void {
    if (bytes === 0) return;
    this.held += bytes;
    this.onHeld(this.held);
  }

  private async somethingArrives(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
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

const isPublishable = (arrival: Arrival): arrival is Publishable => arrival.kind === 'event' || arrival.kind === 'replay';

function toBatch(arrivals: readonly Arrival[]): Batch {
  const publish: Publishable[] = [];
  let position: Batch['position'];
  let snapshot: Batch['snapshot'];
  for (const arrival of arrivals) {
    if (arrival.kind === 'position') position = arrival.lsn;
    else if (arrival.kind === 'snapshot') snapshot = arrival;
    else publish.push(arrival);
  }
  return { publish, position, snapshot };
}
