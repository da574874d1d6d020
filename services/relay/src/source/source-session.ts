import type { Pool } from 'pg';
import type { Flight } from '../publishing/flight.js';
import { Publisher, type PublisherOptions } from '../publishing/publisher.js';
import { endClient } from '../replication/end-client.js';
import type { Lsn } from '../replication/lsn.js';
import { ReadArrivals } from '../replication/read-arrivals.js';
import type { ReplicationStream } from '../replication/replication-stream.js';
import { OutboxRetention } from '../retention/outbox-retention.js';
import { adoptExisting } from './adopt-existing.js';
import { emitSnapshot, type Progress, storeProgress } from './progress.js';
import { takeSlot, type TakenSlot } from './take-slot.js';

const ACKNOWLEDGE_MS = 100;
const SNAPSHOT_MS = 1_000;
/** How long a stop waits for what is on its way to Kafka. */
const GRACE_MS = 1_500;

export interface SessionOptions {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly slot: string;
  readonly publishing: PublisherOptions;
  /** Undefined: nothing is deleted. */
  readonly retentionDays: number | undefined;
  readonly onDeleted: (rows: number) => void;
  readonly onWaiting: (reason: string) => void;
  /** The slot is ours. */
  readonly onTaken: () => void;
  /** Something that goes on by itself failed; the next try is due within a second. */
  readonly onSideFailure: (what: string, error: unknown) => void;
}

/** Publishes one source for as long as one replication connection lasts. */
export class SourceSession {
  private readonly publisher: Publisher;
  private readonly reader: ReadArrivals;
  private readonly stopping = new AbortController();
  private stream: ReplicationStream | undefined;
  private retention: OutboxRetention | undefined;
  private storing: Promise<void> | undefined;
  private held = false;
  private accepted: Lsn = 0n;
  private acknowledgedAt: Lsn = 0n;

  constructor(private readonly options: SessionOptions) {
    this.publisher = new Publisher(options.publishing, (held) => this.holdBack(held));
    this.reader = new ReadArrivals(
      (arrival) => this.publisher.outgoing.add(arrival),
      () => this.acknowledge(),
    );
  }

  /** Never resolves. @throws what ended the connection, or the signal's reason once everything is released */
  async run(stop: AbortSignal): Promise<never> {
    const taken = await takeSlot(this.options, this.reader, stop);
    this.stream = taken.stream;
    this.holdBack(this.held);
    this.options.onTaken();
    const signal = AbortSignal.any([stop, this.stopping.signal]);
    const publishing = this.publishAll(taken, signal);
    const timers = this.startTimers(taken.stream);
    const grace = startGrace(stop);
    try {
      return await Promise.race([taken.stream.ended, publishing, grace.over]);
    } finally {
      this.stopping.abort(new Error('the session ends'));
      grace.cancel();
      for (const timer of timers) clearInterval(timer);
      void this.retention?.stop(); // its statement in progress may end after us
      await this.endExisting(taken); // what is fetched from a server that has fallen silent would keep publishing from ending
      // Two senders at once would only repeat, but a new session need not race an old one. A stop does not wait.
      if (!stop.aborted) await publishing.catch(() => {}); // it fails with what ended the race, or by the abort above
      await this.release(taken);
    }
  }

  private async publishAll({ existing, systemIdentifier, pid }: TakenSlot, signal: AbortSignal): Promise<never> {
    const { publisher } = this;
    const { pool, slot } = this.options;
    const progress = { slot, systemIdentifier };
    await publisher.start({ slot, pid });
    if (existing !== undefined) {
      const adopted = await adoptExisting(existing, (rows) => publisher.publish(rows, signal));
      await endClient(existing.client);
      this.options.publishing.logger.info(adopted, `a new slot begins after ${adopted.published} events of the outbox`);
    }
    signal.throwIfAborted(); // the session has ended, and nobody would stop what begins now
    this.retention = this.startRetention(progress);
    return publisher.run((flight) => this.accept(flight, (snapshot, lsn) => storeProgress(pool, progress, snapshot, lsn)), signal);
  }

  /** Only who has the slot deletes, once nothing of the table has to be published first. */
  private startRetention(progress: Progress): OutboxRetention | undefined {
    const { pool, retentionDays: days, onDeleted, onSideFailure } = this.options;
    if (days === undefined) return undefined;
    const onFailure = (error: unknown) => onSideFailure('deleting what is published and old', error);
    const retention = new OutboxRetention({ pool, progress, settings: { days }, clock: () => new Date(), onDeleted, onFailure });
    retention.start();
    return retention;
  }

  /** Everything that the flight answers for is with Kafka, or set aside. */
  private accept({ position, snapshot }: Flight, store: (snapshot: string, lsn: Lsn) => Promise<void>): void {
    if (position !== undefined && position > this.accepted) this.accepted = position;
    if (snapshot === undefined) return;
    this.storing = store(snapshot.snapshot, snapshot.lsn).catch((error) => this.options.onSideFailure('storing progress', error));
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

  private holdBack(held: boolean): void {
    this.held = held;
    if (held) this.stream?.pause();
    else this.stream?.resume();
  }

  private async release({ stream }: TakenSlot): Promise<void> {
    await this.storing; // while the slot is ours: were it stored later, an adoption that has begun would have to begin again
    this.acknowledge();
    await stream.close();
  }

  private async endExisting({ existing }: TakenSlot): Promise<void> {
    if (existing !== undefined) await endClient(existing.client);
  }
}

/** `over` rejects some time after the signal, when what is on its way to Kafka has had its chance. */
function startGrace(stop: AbortSignal): { readonly over: Promise<never>; readonly cancel: () => void } {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = () => setTimeout(() => reject(stop.reason as Error), GRACE_MS).unref();
  if (stop.aborted) end();
  else stop.addEventListener('abort', end, { once: true });
  return { over, cancel: () => stop.removeEventListener('abort', end) };
}
