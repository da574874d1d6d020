import { DLQ_RETENTION_MS, dlqTopic } from '@shopflow/contracts';
import { type Database, sql, type Transaction } from '@shopflow/database';
import {
  classifyKafkaError,
  connectKafka,
  ensureTopicLike,
  FAILURE_HEADERS_BYTES,
  KafkaProducer,
  physicalTopic,
  unlessAborted,
} from '@shopflow/kafka';
import type { Logger } from '@shopflow/telemetry';
import { closeProducer } from '../close-producer.js';
import type { DeadLetter } from './dead-letter.js';
import { toDlqRecord } from './dlq-record.js';
import { LETTER_COLUMNS, type LetterRow, toDeadLetter } from './list-dead-letters.js';

export interface DeadLetterPublisherOptions {
  readonly group: string;
  readonly brokers: string;
  readonly namespace: string;
  readonly logger: Logger;
  /** Between two looks for letters whose publishing was missed. */
  readonly sweepMs: number;
  /** Logical names of the topics that the records come from. */
  readonly sources: readonly string[];
}

const PAGE = 100;
/** A broker that does not answer must not hold up the end of the process: what is unpublished is published at the next start. */
const STOP_MS = 2_000;

/**
 * Writes the records of new dead letters to `<group>.dlq`, after their rows have committed. A letter counts as published
 * only when Kafka has accepted it; a crash in between publishes it twice, never not at all.
 */
export class DeadLetterPublisher {
  private producer: KafkaProducer | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly givingUp = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly options: DeadLetterPublisherOptions,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), this.options.sweepMs).unref();
    this.wake();
  }

  /** There are new letters: publish them soon. */
  wake(): void {
    if (this.stopped) return;
    if (this.running) this.again = true;
    else this.running = this.publishAll().finally(() => this.afterRun());
  }

  /** Finishes what it is sending. Takes 2 s at most. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    const patience = setTimeout(() => this.givingUp.abort(new Error(`Kafka has not answered within ${STOP_MS} ms`)), STOP_MS);
    await this.running;
    await this.disconnect();
    clearTimeout(patience);
  }

  private async disconnect(): Promise<void> {
    const producer = this.producer;
    this.producer = undefined;
    await closeProducer(producer, { signal: this.givingUp.signal, logger: this.options.logger, purpose: 'publishes dead letters' });
  }

  private afterRun(): void {
    this.running = undefined;
    if (this.again) {
      this.again = false;
      this.wake();
    }
  }

  private async publishAll(): Promise<void> {
    try {
      let after = 0;
      while (!this.stopped) {
        const last = await this.publishPage(after);
        if (last === undefined) return;
        after = last;
      }
    } catch (error) {
      await this.disconnect();
      const when = this.stopped ? 'at the next start' : `in ${this.options.sweepMs} ms`;
      this.options.logger.warn({ err: error }, `publishing dead letters failed; it is tried again ${when}`);
    }
  }

  /** @returns the `seq` of its last letter, or undefined when there are no more */
  private async publishPage(after: number): Promise<number | undefined> {
    return this.database.inTransaction(async (tx) => {
      if (!(await this.lock(tx))) return undefined;
      const letters = await this.unpublished(tx, after);
      if (letters.length === 0) return undefined;
      // The transaction holds a connection that must be given back for the database to close.
      await this.markPublished(tx, await unlessAborted(this.send(letters), this.givingUp.signal));
      return letters.at(-1)!.seq;
    });
  }

  /** One member of the group publishes; without this every one of them would. */
  private async lock(tx: Transaction): Promise<boolean> {
    const { rows } = await sql<{ locked: boolean }>(
      tx,
      `SELECT pg_try_advisory_xact_lock(hashtext('dead letters'), hashtext($1)) AS locked`,
      [this.options.group],
    );
    return rows[0]!.locked;
  }

  private async unpublished(tx: Transaction, after: number): Promise<Unpublished[]> {
    const { rows } = await sql<LetterRow & { rowVersion: string }>(
      tx,
      `SELECT ${LETTER_COLUMNS}, xmin::text AS "rowVersion" FROM dead_letters
       WHERE consumer = $1 AND published_at IS NULL AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
      [this.options.group, after],
    );
    return rows.map(({ rowVersion, ...row }) => ({ ...toDeadLetter(row), rowVersion }));
  }

  /** @returns those that Kafka has accepted */
  private async send(letters: readonly Unpublished[]): Promise<readonly Unpublished[]> {
    const producer = await this.connect();
    const { namespace, logger } = this.options;
    try {
      await producer.send(letters.map((letter) => toDlqRecord(letter, namespace)));
      return letters;
    } catch (error) {
      if (classifyKafkaError(error) !== 'refused') throw error;
      if (letters.length > 1) return this.sendEach(letters);
      const { eventId, seq } = letters[0]!;
      logger.error({ err: error, eventId, seq }, 'Kafka refuses the record of a dead letter; its row in dead_letters stays');
      return [];
    }
  }

  /** One that Kafka refuses does not hold up the rest. */
  private async sendEach(letters: readonly Unpublished[]): Promise<Unpublished[]> {
    const accepted: Unpublished[] = [];
    for (const letter of letters) accepted.push(...(await this.send([letter])));
    return accepted;
  }

  private async markPublished(tx: Transaction, letters: readonly Unpublished[]): Promise<void> {
    // A letter that was opened again meanwhile has another row version, and is published again.
    await sql(
      tx,
      `UPDATE dead_letters SET published_at = now()
       FROM unnest($1::bigint[], $2::text[]) AS sent (seq, row_version)
       WHERE consumer = $3 AND published_at IS NULL AND dead_letters.seq = sent.seq AND dead_letters.xmin::text = sent.row_version`,
      [letters.map(({ seq }) => seq), letters.map(({ rowVersion }) => rowVersion), this.options.group],
    );
  }

  private async connect(): Promise<KafkaProducer> {
    if (this.producer) return this.producer;
    const { brokers, namespace, group, logger, sources } = this.options;
    const clientId = `${group}-dead-letters`;
    await ensureTopicLike(connectKafka({ brokers, clientId, logger }), {
      topic: physicalTopic(namespace, dlqTopic(group)),
      like: sources.map((topic) => physicalTopic(namespace, topic)),
      retentionMs: DLQ_RETENTION_MS,
      extraBytes: FAILURE_HEADERS_BYTES,
    });
    const producer = await KafkaProducer.connect({ brokers, clientId, logger });
    if (!this.givingUp.signal.aborted) return (this.producer = producer);
    await producer.close();
    throw this.givingUp.signal.reason;
  }
}

type Unpublished = DeadLetter & { readonly rowVersion: string };
