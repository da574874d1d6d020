import type { Pool } from 'pg';
import { Arrivals, type Batch } from '../publishing/arrivals.js';
import type { Publisher } from '../publishing/publisher.js';
import { endClient } from '../replication/end-client.js';
import type { Lsn } from '../replication/lsn.js';
import { ReadArrivals } from '../replication/read-arrivals.js';
import type { ReplicationStream } from '../replication/replication-stream.js';
import { adoptExisting } from './adopt-existing.js';
import { emitSnapshot, storeProgress } from './progress.js';
import { takeSlot, type TakenSlot } from './take-slot.js';

const ACKNOWLEDGE_MS = 100;
const SNAPSHOT_MS = 1_000;
/** Rows held in memory at most, about; then the stream is paused until half of them are gone. */
const HELD_BYTES = 16 * 1024 * 1024;
/** How long a stop waits for what is on its way to Kafka. */
const GRACE_MS = 1_500;

export interface SessionOptions {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly slot: string;
  readonly publisher: Publisher;
  readonly onWaiting: (reason: string) => void;
  /** The slot is ours. */
  readonly onTaken: () => void;
  /** Something that goes on by itself failed; the next try is due within a second. */
  readonly onSideFailure: (what: string, error: unknown) => void;
}

/** Publishes one source for as long as one replication connection lasts. */
export class SourceSession {
  private readonly arrivals = new Arrivals((bytes) => this.holdBack(bytes));
  private readonly reader = new ReadArrivals(
    (arrival, bytes) => this.arrivals.add(arrival, bytes),
    () => this.acknowledge(),
  );
  private readonly stopping = new AbortController();
  private stream: ReplicationStream | undefined;
  private accepted: Lsn = 0n;
  private acknowledgedAt: Lsn = 0n;

  constructor(private readonly options: SessionOptions) {}

  /** Never resolves. @throws what ended the connection, or the signal's reason once everything is released */
  async run(stop: AbortSignal): Promise<never> {
    const taken = await takeSlot(this.options, this.reader, stop);
    this.stream = taken.stream;
    this.options.onTaken();
    const signal = AbortSignal.any([stop, this.stopping.signal]);
    const publishing = this.publishAll(taken, signal);
    const timers = this.startTimers(taken.stream);
    try {
      return await Promise.race([taken.stream.ended, publishing, afterGrace(stop)]);
    } finally {
      this.stopping.abort(new Error('the session ends'));
      for (const timer of timers) clearInterval(timer);
      // Two senders at once would only repeat, but a new session need not race an old one. A stop does not wait.
      if (!stop.aborted) await publishing.catch(() => {}); // it fails with what ended the race, or by the abort above
      await this.release(taken);
    }
  }

  private async publishAll({ existing, systemIdentifier }: TakenSlot, signal: AbortSignal): Promise<never> {
    const { publisher, pool, slot } = this.options;
    const progress = { slot, systemIdentifier };
    if (existing !== undefined) await adoptExisting(existing, (rows) => publisher.publish(rows, signal));
    for (;;) {
      const batch = await this.arrivals.take(signal);
      await publisher.publish(await publisher.rowsOf(batch.publish, signal), signal);
      this.accept(batch, (snapshot, lsn) => storeProgress(pool, progress, snapshot, lsn));
    }
  }

  /** Everything up to the batch's end is with Kafka. */
  private accept({ position, snapshot }: Batch, store: (snapshot: string, lsn: Lsn) => Promise<void>): void {
    if (position !== undefined && position > this.accepted) this.accepted = position;
    if (snapshot !== undefined)
      store(snapshot.snapshot, snapshot.lsn).catch((error) => this.options.onSideFailure('storing progress', error));
  }

  private startTimers(stream: ReplicationStream): NodeJS.Timeout[] {
    const { pool, onSideFailure } = this.options;
    return [
      setInterval(() => this.accepted !== this.acknowledgedAt && this.acknowledge(), ACKNOWLEDGE_MS),
      setInterval(() => {
        this.acknowledge(); // the server gives up a relay that says nothing, also while Kafka is away
        stream.checkSilence(Date.now());
        emitSnapshot(pool).catch((error) => onSideFailure('writing a snapshot into the log', error));
      }, SNAPSHOT_MS),
    ];
  }

  private acknowledge(): void {
    this.acknowledgedAt = this.accepted;
    this.stream?.acknowledge(this.accepted);
  }

  private holdBack(bytes: number): void {
    if (bytes > HELD_BYTES) this.stream?.pause();
    else if (bytes < HELD_BYTES / 2) this.stream?.resume();
  }

  private async release({ stream, existing }: TakenSlot): Promise<void> {
    this.acknowledge();
    await stream.close();
    if (existing !== undefined) await endClient(existing.client);
  }
}

/** Rejects some time after the signal, when what is on its way to Kafka has had its chance. */
function afterGrace(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => setTimeout(() => reject(stop.reason as Error), GRACE_MS).unref();
    if (stop.aborted) end();
    else stop.addEventListener('abort', end, { once: true });
  });
}
