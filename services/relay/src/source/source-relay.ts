import { setTimeout as delay } from 'node:timers/promises';
import { classifyDatabaseError } from '@shopflow/database';
import { KafkaSendError, loadProducer } from '@shopflow/kafka/producing';
import { slotName } from '@shopflow/outbox';
import type { Logger } from '@shopflow/telemetry';
import { Pool } from 'pg';
import type { RelayMetrics } from '../metrics/relay-metrics.js';
import { Sender } from '../publishing/sender.js';
import { PgOutputError } from '../replication/pgoutput.js';
import { assertMigrated, assertSlotFree } from './slot.js';
import { NotMigratedError, NotPromotedError, RefusedSourceError, SlotInUseError } from './source-errors.js';
import { SlotLostError } from '../set-aside/store-set-aside.js';
import { SourceSession } from './source-session.js';
import { SourceStatus } from './source-status.js';

export interface SourceOptions {
  /** The service that owns the outbox, e.g. `orders`: becomes the events' source. */
  readonly name: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly brokers: string;
  readonly logger: Logger;
  /** Days that a published event stays in its outbox; left out, nothing is deleted. */
  readonly retentionDays?: number;
  readonly metrics?: Pick<RelayMetrics, 'sent' | 'deleted'>;
}

const STANDBY_MS = 250;
const RETRY_MS = 1_000;
const REFUSED_MS = 3_000;
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
  private readonly sender: Sender;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: SourceOptions) {
    const { name, namespace, brokers, databaseUrl } = options;
    const logger = (this.logger = options.logger.child({ source: name }));
    this.slot = slotName(namespace, name);
    this.status = new SourceStatus(logger);
    this.pool = openPool(databaseUrl, this.slot);
    this.sender = new Sender(
      { brokers, clientId: `relay-${this.slot}`, logger },
      { failed: (failure) => this.reportSendFailure(failure), recovered: () => this.status.brokerIsBack() },
    );
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
    await loadProducer(); // a standby that takes over has it already
    while (!signal.aborted) {
      const error: unknown = await this.runSession().catch((reason: unknown) => reason);
      if (signal.aborted) return;
      const pause = this.reportEnd(error);
      await delay(pause, undefined, { signal }).catch(() => {}); // only a stop ends the pause early, and the loop sees it
    }
  }

  private async runSession(): Promise<never> {
    const { pool, slot, options, logger, sender } = this;
    await assertMigrated(pool);
    await assertSlotFree(pool, slot);
    const session = new SourceSession({
      databaseUrl: options.databaseUrl,
      pool,
      slot,
      publishing: {
        origin: { namespace: options.namespace, source: options.name },
        sender,
        pool,
        logger,
        onPublished: (events, ms) => this.countPublished(events, ms),
      },
      retentionDays: options.retentionDays,
      onDeleted: (rows) => options.metrics?.deleted(options.name, rows),
      onWaiting: (reason) => this.status.change('waiting for database', reason),
      onTaken: () => this.status.change('active'),
      onSideFailure: (what, error) => this.logger.warn({ err: error }, `${what} failed`),
    });
    return session.run(this.stopping.signal);
  }

  private countPublished(events: number, ms: number): void {
    this.status.countPublished(events);
    this.options.metrics?.sent(this.options.name, events, ms / 1_000);
  }

  /** @returns how long to wait before the next try, in milliseconds */
  private reportEnd(error: unknown): number {
    const { status } = this;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof SlotInUseError || error instanceof SlotLostError) status.change('standby', reason);
    else if (error instanceof RefusedSourceError || error instanceof PgOutputError) status.change('refused', reason);
    else if (error instanceof NotMigratedError || error instanceof NotPromotedError) status.change('waiting for database', reason);
    else if (classifyDatabaseError(error) === 'outage') status.change('waiting for database', `the database does not serve: ${reason}`);
    else if (error instanceof KafkaSendError) status.change('waiting for broker', reason);
    else status.change('waiting for database', reason, error);
    return status.state === 'standby' ? STANDBY_MS : status.state === 'refused' ? REFUSED_MS : RETRY_MS;
  }

  private reportSendFailure(error: KafkaSendError): void {
    this.status.change('waiting for broker', error.message + (error.kind === 'other' ? ACT : ''));
  }
}

const ACT = '; this does not pass by itself: create the topic or give the relay the right';

function openPool(connectionString: string, slot: string): Pool {
  const options = `-c TimeZone=UTC -c DateStyle=ISO -c statement_timeout=${QUERY_MS}`;
  const pool = new Pool({
    connectionString,
    options,
    application_name: `relay ${slot}`,
    max: 4,
    connectionTimeoutMillis: QUERY_MS,
    query_timeout: QUERY_MS,
  });
  pool.on('error', () => {}); // an idle connection was lost; the pool opens another one when it is needed
  return pool;
}
