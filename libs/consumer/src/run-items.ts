import { callWithBatch, callWithEvent, type Surroundings } from './call-handler.js';
import { type EventItem, runsOf } from './event-item.js';
import { classifyFailure } from './failure.js';
import { explainAborted, type Unit } from './unit-of-work.js';

/** An event that failed by itself, the effects of every other one intact. */
export interface FailedItem {
  readonly item: EventItem;
  readonly error: unknown;
}

/** Runs the handlers in offset order. Whatever one of them throws comes out, and the whole transaction is void. */
export async function runTogether(items: readonly EventItem[], unit: Unit, around: Surroundings): Promise<void> {
  for (const run of runsOf(items)) {
    if (run[0]!.subscriber.subscription.batch) await callWithBatch(run, unit, around);
    else for (const item of run) await callWithEvent(item, unit, around);
  }
}

/**
 * Runs the handlers in offset order, each event behind a savepoint, so that one that fails takes nothing with it.
 *
 * @param onFailure decides about an event that failed: true to go on behind it, false to stop there
 * @returns the event at which it stopped, or undefined when it came to the end
 * @throws an outage or contention: it concerns the transaction and no event
 */
export async function runOneByOne(
  items: readonly EventItem[],
  unit: Unit,
  around: Surroundings,
  onFailure: (failed: FailedItem) => boolean,
): Promise<FailedItem | undefined> {
  for (const run of runsOf(items)) {
    const pieces = run[0]!.subscriber.subscription.batch ? [run] : run.map((item) => [item]);
    for (const piece of pieces) {
      const stopped = await bisect(piece, unit, around, onFailure);
      if (stopped) return stopped;
    }
  }
  return undefined;
}

async function bisect(
  items: readonly EventItem[],
  unit: Unit,
  around: Surroundings,
  onFailure: (failed: FailedItem) => boolean,
): Promise<FailedItem | undefined> {
  const failure = await attempt(items, unit, around);
  if (failure === undefined) return undefined;
  if (items.length === 1) {
    const failed = { item: items[0]!, error: failure.error };
    return onFailure(failed) ? undefined : failed;
  }
  const middle = Math.ceil(items.length / 2);
  const stopped = await bisect(items.slice(0, middle), unit, around, onFailure);
  return stopped ?? bisect(items.slice(middle), unit, around, onFailure);
}

/** Deferred constraints are checked while it is still known whose they are, and stay deferred for the next event. */
const RELEASE = `SAVEPOINT constraints; SET CONSTRAINTS ALL IMMEDIATE; ROLLBACK TO SAVEPOINT constraints; RELEASE SAVEPOINT event`;

async function attempt(items: readonly EventItem[], unit: Unit, around: Surroundings): Promise<{ error: unknown } | undefined> {
  await unit.client.query('SAVEPOINT event');
  try {
    if (items[0]!.subscriber.subscription.batch) await callWithBatch(items, unit, around);
    else await callWithEvent(items[0]!, unit, around);
    await unit.client.query(RELEASE);
    return undefined;
  } catch (error) {
    const kind = classifyFailure(error);
    if (kind === 'outage' || kind === 'contention') throw error;
    await unit.client.query('ROLLBACK TO SAVEPOINT event; RELEASE SAVEPOINT event');
    return { error: explainAborted(error) };
  }
}
