import { setTimeout as delay } from 'node:timers/promises';
import { classifyDatabaseError } from '@shopflow/database';
import { headerNames } from '@shopflow/kafka';
import { slotName } from '@shopflow/outbox';
import type { Logger } from '@shopflow/telemetry';
import { Pool } from 'pg';
import { Publisher } from '../publishing/publisher.js';
import { type OnSendFailure, SendInOrder } from '../publishing/send-in-order.js';
import { PgOutputError } from '../replication/pgoutput.js';
import { assertMigrated, assertSlotFree } from './slot.js';
import { NotMigratedError, RefusedSourceError, SlotInUseError } from './source-errors.js';
import { SourceSession } from './source-session.js';
import { SourceStatus } from './source-status.js';

export interface SourceOptions {
  /** The service that owns the outbox, e.g. `orders`: becomes the events' source. */
  readonly name: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly brokers: string;
  readonly logger: Logger;
}

const STANDBY_MS = 500;
const RETRY_MS = 1_000;
const REFUSED_MS = 10_000;
/** What is on its way to Kafka gets 1.5 s, the connections 0.5 s each. */
const SESSION_END_MS = 3_000;
const CLOSE_MS = 1_000;
const QUERY_MS = 10_000;

/** Publishes one service's outbox for ever: through outages, as a standby while another relay does it, until it is stopped. */
export class SourceRelay {
  readonly slot: string;
  readonly status: SourceStatus;
  readonly pool: Pool;
  private readonly logger: Logger;
  private readonly sender: SendInOrder;
  private readonly publisher: Publisher;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: SourceOptions) {
    const { name, namespace, brokers, databaseUrl } = options;
    const logger = (this.logger = options.logger.child({ source: name }));
    this.slot = slotName(namespace, name);
    this.status = new SourceStatus(logger);
    this.pool = openPool(databaseUrl, this.slot);
    this.sender = new SendInOrder({ brokers, clientId: `relay-${this.slot}`, logger }, (failure) => this.reportSendFailure(failure));
    this.publisher = new Publisher({
      origin: { namespace, source: name },
      sender: this.sender,
      query: async (text, values) =>
        (await this.pool.query({ text, values, types: { getTypeParser: () => (value: string) => value } })).rows,
      logger,
      onPublished: (events) => this.status.countPublished(events),
    });
  }

  start(): void {
    this.running ??= this.runUntilStopped();
  }

  /** Lets go of the slot at once, so that a standby can take over. */
  stop(): Promise<void> {
    this.stopped ??= this.stopOnce();
    return this.stopped;
  }

  private async stopOnce(): Promise<void> {
    this.stopping.abort(new Error(`${this.options.name} is stopped`));
    // A server that does not answer any more does not hold the process back.
    await Promise.race([this.running, delay(SESSION_END_MS, undefined, { ref: false })]);
    await Promise.race([Promise.all([this.sender.close(), this.pool.end()]), delay(CLOSE_MS, undefined, { ref: false })]);
    this.status.change('stopped');
  }

  private async runUntilStopped(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const error: unknown = await this.runSession().catch((reason: unknown) => reason);
      if (signal.aborted) return;
      const pause = this.reportEnd(error);
      await delay(pause, undefined, { signal }).catch(() => {}); // only a stop ends the pause early, and the loop sees it
    }
  }

  private async runSession(): Promise<never> {
    const { pool, slot, publisher, options } = this;
    await assertMigrated(pool);
    await assertSlotFree(pool, slot);
    const session = new SourceSession({
      databaseUrl: options.databaseUrl,
      pool,
      slot,
      publisher,
      onWaiting: (reason) => this.status.change('waiting', reason),
      onTaken: () => this.status.change('publishing'),
      onSideFailure: (what, error) => this.logger.warn({ err: error }, `${what} failed`),
    });
    return session.run(this.stopping.signal);
  }

  /** @returns how long to wait before the next try, in milliseconds */
  private reportEnd(error: unknown): number {
    const { status } = this;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof SlotInUseError) status.change('standby', reason);
    else if (error instanceof RefusedSourceError || error instanceof PgOutputError) status.change('refused', reason);
    else if (error instanceof NotMigratedError) status.change('waiting', reason);
    else if (classifyDatabaseError(error) === 'outage') status.change('waiting', `the database does not serve: ${reason}`);
    else status.change('waiting', reason, error);
    return status.state === 'standby' ? STANDBY_MS : status.state === 'refused' ? REFUSED_MS : RETRY_MS;
  }

  private reportSendFailure({ kind, error, record }: Parameters<OnSendFailure>[0]): void {
    if (record === undefined) return this.status.change('waiting', error.message + (kind === 'other' ? ACT : ''));
    const event = String(record.headers[headerNames.id]);
    this.status.change(
      'blocked',
      `event ${event} of ${record.topic}: ${error.message}; nothing after it is published until Kafka takes it`,
    );
  }
}

const ACT = '; this does not pass by itself: create the topic or give the relay the right';

function openPool(connectionString: string, slot: string): Pool {
  const options = '-c TimeZone=UTC -c DateStyle=ISO';
  const pool = new Pool({
    connectionString,
    options,
    application_name: `relay ${slot}`,
    max: 3,
    connectionTimeoutMillis: QUERY_MS,
    query_timeout: QUERY_MS,
  });
  pool.on('error', () => {}); // an idle connection was lost; the pool opens another one when it is needed
  return pool;
}
