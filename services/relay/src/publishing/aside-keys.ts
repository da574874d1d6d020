import { setTimeout as delay } from 'node:timers/promises';
import type { WrittenRecord } from '@shopflow/kafka/producing';
import type { Logger } from '@shopflow/telemetry';
import type { Pool } from 'pg';
import { asideKey } from '../set-aside/aside-key.js';
import { giveReason } from '../set-aside/give-reason.js';
import { markPublished } from '../set-aside/mark-published.js';
import { nextWaiting, type WaitingEntry } from '../set-aside/next-waiting.js';
import { type SetAsideEntry, type SlotHolder, storeSetAside } from '../set-aside/store-set-aside.js';
import { waitForDecision } from '../set-aside/wait-for-decision.js';
import type { Decision } from './arrivals.js';
import { eventOf } from './event-of-record.js';
import { EventRow } from './event-row.js';
import { Flight, type Load } from './flight.js';
import { TimeError } from './iso-time.js';
import type { Loader } from './loader.js';
import type { OutboxRow } from './outbox-row.js';
import type { Outgoing } from './outgoing.js';
import type { Sender } from './sender.js';

export interface AsideKeysOptions {
  readonly loader: Loader;
  readonly outgoing: Outgoing;
  readonly sender: Sender;
  readonly pool: Pool;
  readonly logger: Logger;
  /** Told of what Kafka has accepted at once, and how long that took. */
  readonly onPublished: (events: number, ms: number) => void;
}

/** How far records of one partition came: all of them, or up to one that Kafka refuses alone. */
type Way = { readonly refused: undefined } | { readonly refused: number; readonly reason: string };

const ALL: Way = { refused: undefined };
const PAGE = 500;
const NOT_VISIBLE_MS = 20;
const GONE = 'the outbox no longer has it: discard it';

/** Sets aside what Kafka refuses, with what follows of its key, and publishes it when somebody has decided so. */
export class AsideKeys {
  /** Whose stream brought what is set aside; undefined before it is known. */
  holder: SlotHolder | undefined;

  constructor(private readonly options: AsideKeysOptions) {}

  /** Commits that these are set aside, in this order. */
  async store(entries: readonly SetAsideEntry[]): Promise<void> {
    const { pool, logger } = this.options;
    await storeSetAside(pool, entries, this.holder);
    for (const { eventId, topic, key, reason } of entries) {
      if (reason === null) continue;
      logger.error({ eventId, orderId: key, topic }, `event ${eventId} is set aside, and what follows of its key: ${reason}`);
    }
  }

  /**
   * Something in a batch is refused: publishes all of its records but those, and what follows them of their keys.
   *
   * @returns the ids of those that are set aside
   */
  async isolate(load: Load, reason: string, signal: AbortSignal): Promise<string[]> {
    let rest = load.batch.records();
    const aside: string[] = [];
    let way = rest.length === 1 ? { refused: 0, reason } : await this.sendHalves(load, rest, signal);
    while (way.refused !== undefined) {
      const behind = rest.slice(way.refused);
      const { key } = eventOf(behind[0]!);
      const held = behind.filter((record) => eventOf(record).key === key);
      await this.setAside(load, key, held, way.reason);
      aside.push(...held.map((record) => eventOf(record).id));
      rest = behind.filter((record) => !held.includes(record));
      way = await this.send(load, rest, signal);
    }
    return aside;
  }

  /** Somebody has decided about a key: publishes what waits for it, in order, up to one that Kafka refuses. */
  async advance({ topic, key }: Decision, signal: AbortSignal): Promise<void> {
    const { pool, loader } = this.options;
    await waitForDecision(pool, topic, key);
    for (;;) {
      const entries = await nextWaiting(pool, topic, key, PAGE);
      if (entries.length === 0) break; // nothing can have come for it meanwhile: that stands behind the decision
      if (!(await this.publishPage(entries, signal))) return;
    }
    loader.aside!.keys.delete(asideKey(topic, key));
  }

  /** @returns whether all went through */
  private async publishPage(entries: readonly WaitingEntry[], signal: AbortSignal): Promise<boolean> {
    const missing = entries.findIndex(({ row }) => row === null || row === 'not visible yet');
    const page = missing === -1 ? entries : entries.slice(0, missing);
    const start = performance.now();
    const way = await this.sendRows(
      page.map(({ row }) => EventRow.fromColumns(row as OutboxRow)),
      signal,
    );
    const through = page.slice(0, way.refused ?? page.length);
    await this.published(through, performance.now() - start);
    if (way.refused !== undefined) return this.refuse(page[way.refused]!, way.reason);
    const next = entries[through.length];
    if (next?.row === null) return this.refuse(next, GONE);
    if (next !== undefined) await delay(NOT_VISIBLE_MS, undefined, { signal });
    return true;
  }

  private async published(entries: readonly WaitingEntry[], ms: number): Promise<void> {
    if (entries.length === 0) return;
    const { pool, logger, onPublished } = this.options;
    onPublished(entries.length, ms);
    await markPublished(
      pool,
      entries.map(({ seq }) => seq),
    );
    for (const { eventId } of entries) logger.info({ eventId }, `published ${eventId}, which was set aside`);
  }

  private async refuse({ seq, eventId }: WaitingEntry, reason: string): Promise<false> {
    await giveReason(this.options.pool, seq, reason);
    this.options.logger.error({ eventId }, `event ${eventId} stays set aside: ${reason}`);
    return false;
  }

  private async setAside({ topic }: Load, key: string, records: readonly WrittenRecord[], reason: string): Promise<void> {
    const { loader, outgoing } = this.options;
    const entries = records.map((record, place) => ({
      eventId: eventOf(record).id,
      topic: topic.logical,
      key,
      reason: place === 0 ? reason : null,
      evenIfDiscarded: true,
    }));
    await this.store(entries);
    loader.aside!.keys.add(asideKey(topic.logical, key));
    loader.divert(outgoing.loaded, topic, key); // what has come for the key meanwhile
  }

  /** Rows of one key, in order. */
  private async sendRows(rows: readonly EventRow[], signal: AbortSignal): Promise<Way> {
    const flight = new Flight();
    try {
      const written = await this.write(flight, rows, signal);
      const [load] = flight.allLoads();
      const way = load === undefined ? ALL : await this.send(load, load.batch.records(), signal);
      return way.refused === undefined ? written : way;
    } finally {
      flight.release();
    }
  }

  private async write(flight: Flight, rows: readonly EventRow[], signal: AbortSignal): Promise<Way> {
    const { loader, sender } = this.options;
    for (const [place, row] of rows.entries()) {
      try {
        for (let unknown = loader.write(flight, row); unknown !== undefined; unknown = loader.write(flight, row))
          await sender.learn(unknown, signal);
      } catch (error) {
        if (error instanceof TimeError) return { refused: place, reason: error.message };
        throw error;
      }
    }
    return ALL;
  }

  /** Sends records of one partition in order, up to one that is refused alone. */
  private async send(to: Load, records: readonly WrittenRecord[], signal: AbortSignal): Promise<Way> {
    if (records.length === 0) return ALL;
    const { sender } = this.options;
    const batch = sender.open(to.topic.physical, to.batch.partition);
    for (const record of records) batch.append(record);
    const [refused] = await sender.send([batch], signal).finally(() => batch.release());
    if (refused === undefined) return ALL;
    return records.length === 1 ? { refused: 0, reason: refused.reason } : this.sendHalves(to, records, signal);
  }

  private async sendHalves(to: Load, records: readonly WrittenRecord[], signal: AbortSignal): Promise<Way> {
    const middle = records.length >> 1;
    const first = await this.send(to, records.slice(0, middle), signal);
    if (first.refused !== undefined) return first;
    const second = await this.send(to, records.slice(middle), signal);
    if (second.refused !== undefined) return { ...second, refused: middle + second.refused };
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    to.topic.batchBytes = Math.min(to.topic.batchBytes, bytes >> 1); // only together they are too large: no more at once from now on
    return second;
  }
}
