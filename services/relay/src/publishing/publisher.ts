import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@shopflow/telemetry';
import type { Publishable } from './arrivals.js';
import { findReplayed, type TextQuery } from './find-replayed.js';
import { logPublished, type Published } from './published.js';
import type { SendInOrder } from './send-in-order.js';
import { type Origin, toRecord } from './to-record.js';

export interface PublisherOptions {
  readonly origin: Origin;
  readonly sender: SendInOrder;
  readonly query: TextQuery;
  readonly logger: Logger;
  readonly onPublished: (events: number) => void;
}

const NOT_VISIBLE_MS = 20;

/** Publishes rows and replays of one source, in the order given. */
export class Publisher {
  constructor(private readonly options: PublisherOptions) {}

  /** Resolves when Kafka has accepted everything. @throws the signal's reason when it aborts first */
  async publish(rows: readonly Published[], signal: AbortSignal): Promise<void> {
    if (rows.length === 0) return;
    const { origin, sender, logger, onPublished } = this.options;
    await sender.send(
      rows.map(({ row }) => toRecord(row, origin)),
      signal,
    );
    onPublished(rows.length);
    logPublished(logger, rows);
  }

  /** The rows behind what has arrived: an event brings its own, a replay's is looked up. */
  async rowsOf(arrivals: readonly Publishable[], signal: AbortSignal): Promise<Published[]> {
    const rows: Published[] = [];
    for (const arrival of arrivals) {
      const published = arrival.kind === 'event' ? { row: arrival.row, again: false } : await this.replayed(arrival, signal);
      if (published !== undefined) rows.push(published);
    }
    return rows;
  }

  private async replayed(replay: Publishable & { kind: 'replay' }, signal: AbortSignal): Promise<Published | undefined> {
    const { eventId, who, why, xid } = replay;
    for (;;) {
      const found = await findReplayed(this.options.query, eventId, xid);
      if (found === 'not visible yet') await delay(NOT_VISIBLE_MS, undefined, { signal });
      else if ('row' in found) return { row: found.row, again: true };
      else {
        this.options.logger.error({ eventId, who, why }, `${eventId} is not published again: ${found.refused}`);
        return undefined;
      }
    }
  }
}
