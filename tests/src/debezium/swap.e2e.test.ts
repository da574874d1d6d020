import { headerNames } from '@shopflow/kafka';
import { eventually, type ReadRecord, readTopic } from '@shopflow/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommitOrder } from './test-support/commit-order.js';
import { SwapBed } from './test-support/swap-bed.js';
import { Witness } from './test-support/witness.js';
import { Writers } from './test-support/writers.js';

let bed: SwapBed;
let witness: Witness;
let writers: Writers;

beforeEach(async () => {
  bed = await SwapBed.create();
  witness = await Witness.join(bed.namespace);
});
afterEach(async () => {
  await writers?.stop();
  await witness?.leave();
  await bed?.remove();
});

it('loses nothing, keeps the order of every key and shows consumers no difference while relay and Debezium take turns under load', async () => {
  const order = await CommitOrder.open(bed.database.url, `${bed.slot.slice(0, 50)}_order`);
  const first = await bed.startRelay();
  writers = new Writers(bed.database.url);
  await bed.during(first, 'stop');
  await bed.during(await bed.startDebezium({ flushMs: 500 }), 'stop');
  await bed.during(await bed.startRelay(), 'kill'); // moves the slot on, beyond what Debezium has stored
  const late = await bed.during(await bed.startDebezium({ flushMs: 60_000 }), 'kill'); // tells PostgreSQL nothing: the relay repeats it all
  await bed.during(await bed.startRelay(), 'go on');
  await writers.stop();

  const committed = await order.eventIds();
  await untilHandled(committed.length);
  const records = await readTopic(bed.topic);
  assertSameEvents(records, committed);
  assertInOrder(records, committed);
  assertNoDifference(records, late);
  assertHandledAlike(records);
}, 180_000);

const untilHandled = (events: number): Promise<boolean> =>
  eventually(
    async () => {
      expect(await witness.counts()).toEqual({ processed: events, dead: 0 });
      return true;
    },
    { timeoutMs: 30_000, message: 'that every event is handled' },
  );

const header = (record: ReadRecord, name: string): string => String(record.headers[name]);
const idOf = (record: ReadRecord): string => header(record, headerNames.id);
const keyOf = (record: ReadRecord): string => String(record.key);

function assertSameEvents(records: readonly ReadRecord[], committed: readonly string[]): void {
  const published = new Set(records.map(idOf));
  const known = new Set(committed);
  expect(
    committed.filter((id) => !published.has(id)),
    'committed and not published',
  ).toEqual([]);
  expect(
    [...published].filter((id) => !known.has(id)),
    'published and not committed',
  ).toEqual([]);
}

/** For the first time, the events of a key come in the order of their commits; repetitions are allowed. */
function assertInOrder(records: readonly ReadRecord[], committed: readonly string[]): void {
  const firsts = new Map(records.toReversed().map((record) => [idOf(record), record]));
  const published = Map.groupBy(new Set(records.map(idOf)), (id) => keyOf(firsts.get(id)!));
  const wanted = Map.groupBy(committed, (id) => keyOf(firsts.get(id)!));
  for (const [key, ids] of wanted) expect(published.get(key), `events of ${key}`).toEqual(ids);
}

/** What Debezium wrote is what the relay wrote of the same event: key, value and headers, byte for byte. */
function assertNoDifference(records: readonly ReadRecord[], late: (record: ReadRecord) => boolean): void {
  const ofRelay = new Map(records.filter((record) => !late(record)).map((record) => [idOf(record), seenBy(record)]));
  const ofDebezium = records.filter((record) => late(record));
  const inBoth = ofDebezium.filter((record) => ofRelay.has(idOf(record)));
  expect(inBoth.length, 'events that both published').toBeGreaterThan(100);
  for (const record of inBoth) expect(seenBy(record)).toEqual(ofRelay.get(idOf(record)));
}

/** A header without a value is none: this is how our readers take it. */
function seenBy({ partition, key, value, headers }: ReadRecord): unknown {
  const present = Object.entries(headers).filter(([, text]) => text !== null);
  return {
    partition,
    key: String(key),
    value: String(value),
    headers: Object.fromEntries(present.map(([name, text]) => [name, String(text)])),
  };
}

/** The handler was given the event that the headers tell of, whoever wrote them. */
function assertHandledAlike(records: readonly ReadRecord[]): void {
  for (const record of records) {
    const event = witness.events.get(idOf(record));
    expect(event).toMatchObject({ source: 'orders', version: 3, subject: keyOf(record), payload: JSON.parse(String(record.value)) });
    expect(event?.time.toISOString()).toBe(header(record, headerNames.time));
    expect(String(event?.correlationId)).toBe(header(record, headerNames.correlationId).replace('undefined', 'null'));
  }
}
