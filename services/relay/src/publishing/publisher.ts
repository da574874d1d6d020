import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@shopflow/telemetry';
import type { Pool } from 'pg';
import { asText } from '../set-aside/aside-key.js';
import { loadSetAside } from '../set-aside/load-set-aside.js';
import type { SlotHolder } from '../set-aside/store-set-aside.js';
import type { Decision, Replay } from './arrivals.js';
import { AsideKeys } from './aside-keys.js';
import { EventRow } from './event-row.js';
import { findReplayed } from './find-replayed.js';
import { Flight } from './flight.js';
import { Loader, type Origin } from './loader.js';
import { logPublished } from './log-published.js';
import type { OutboxRow } from './outbox-row.js';
import { Outgoing, type Stop } from './outgoing.js';
import type { Sender } from './sender.js';

export interface PublisherOptions {
  readonly origin: Origin;
  readonly sender: Sender;
  readonly pool: Pool;
  readonly logger: Logger;
  /** Told of what Kafka has accepted at once, and how long that took. */
  readonly onPublished: (events: number, ms: number) => void;
}

const NOT_VISIBLE_MS = 20;

/** Publishes the events of one source, in their order, for as long as one session lasts. */
export class Publisher {
  readonly outgoing: Outgoing;
  private readonly loader: Loader;
  private readonly aside: AsideKeys;

  /** @param onHeld told whether more waits than the next flight takes, so that the stream can be paused */
  constructor(
    private readonly options: PublisherOptions,
    onHeld: (held: boolean) => void,
  ) {
    this.loader = new Loader(options.origin, options.sender);
    this.outgoing = new Outgoing(this.loader.load, onHeld);
    this.aside = new AsideKeys({ ...options, loader: this.loader, outgoing: this.outgoing });
  }

  /** Once the slot is ours, nobody else sets anything aside. */
  async start(holder: SlotHolder): Promise<void> {
    this.aside.holder = holder;
    this.loader.aside = await loadSetAside(this.options.pool);
  }

  /** @throws the signal's reason, or what the database answers where it is asked */
  async run(accept: (flight: Flight) => void, signal: AbortSignal): Promise<never> {
    for (;;) {
      const next = await this.outgoing.next(signal);
      if (!(next instanceof Flight)) await this.pass(next, signal);
      else {
        await this.deliver(next, signal);
        accept(next);
        next.release();
      }
    }
  }

  /** Publishes rows that a query brought. Resolves when Kafka has accepted, or the database set aside, each. */
  async publish(rows: readonly OutboxRow[], signal: AbortSignal): Promise<void> {
    let flight = new Flight();
    for (let next = 0; next < rows.length;) {
      const answer = this.loader.load(flight, EventRow.fromColumns(rows[next]!));
      if (answer === 'loaded') next += 1;
      if (answer === 'loaded' && next < rows.length) continue;
      await this.deliver(flight, signal);
      flight.release();
      flight = new Flight();
      if (typeof answer !== 'string') await this.options.sender.learn(answer.unknown, signal);
    }
  }

  /** Sends what the flight holds; what Kafka refuses is set aside with what follows it of its key. */
  private async deliver(flight: Flight, signal: AbortSignal): Promise<void> {
    const { sender, onPublished, logger } = this.options;
    const loads = flight.allLoads();
    const start = performance.now();
    const refused = await sender.send(
      loads.map(({ batch }) => batch),
      signal,
    );
    const aside: string[] = [];
    for (const { batch, reason } of refused) {
      const load = loads.find((each) => each.batch === batch)!;
      aside.push(...(await this.aside.isolate(load, reason, signal)));
    }
    await this.aside.store(flight.aside); // after those of its keys that were in a batch: they came before
    const events = loads.reduce((sum, { batch }) => sum + batch.count, 0) - aside.length;
    if (events === 0) return;
    onPublished(events, performance.now() - start);
    logPublished(logger, loads, events, aside);
  }

  private async pass(stop: Stop, signal: AbortSignal): Promise<void> {
    switch (stop.kind) {
      case 'unknown topic':
        return this.options.sender.learn(stop.topic, signal);
      case 'replay':
        return this.outgoing.passed(await this.replayed(stop, signal));
      case 'decision':
        return this.decided(stop, signal);
    }
  }

  private async decided(decision: Decision, signal: AbortSignal): Promise<void> {
    await this.aside.advance(decision, signal);
    this.outgoing.passed();
  }

  private async replayed({ eventId, who, why, xid }: Replay, signal: AbortSignal): Promise<EventRow | undefined> {
    const { pool, logger } = this.options;
    for (;;) {
      const found = await findReplayed(async (text, values) => (await pool.query({ text, values, types: asText })).rows, eventId, xid);
      if (found === 'not visible yet') await delay(NOT_VISIBLE_MS, undefined, { signal });
      else if ('row' in found) return EventRow.fromColumns(found.row, true);
      else {
        logger.error({ eventId, who, why }, `${eventId} is not published again: ${found.refused}`);
        return undefined;
      }
    }
  }
}
