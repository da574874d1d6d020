import { callWithBatch, callWithEvent, type Surroundings } from './call-handler.js';
import { type EventItem, runsOf } from './event-item.js';
import { concernsEvent } from './failure.js';
import { explainAborted, type Unit } from './unit-of-work.js';

/** Whoever looks after events that run one by one. */
export interface Supervisor {
  /** Asked when its turn comes. False when an event before it has made it wait. */
  mayRun(item: EventItem): boolean;
  handled(items: readonly EventItem[]): void;
  /** An event failed by itself; its effects are undone, those of every other one intact. @returns true to go on behind it */
  failed(item: EventItem, error: unknown): boolean;
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
 * @returns false when the supervisor stopped it
 * @throws what concerns the transaction and no event, such as an outage
 */
export async function runOneByOne(items: readonly EventItem[], unit: Unit, around: Surroundings, supervisor: Supervisor): Promise<boolean> {
  for (const run of runsOf(items)) {
    const pieces = run[0]!.subscriber.subscription.batch ? [run] : run.map((item) => [item]);
    for (const piece of pieces) {
      if (!(await bisect(piece, unit, around, supervisor))) return false;
    }
  }
  return true;
}

async function bisect(all: readonly EventItem[], unit: Unit, around: Surroundings, supervisor: Supervisor): Promise<boolean> {
  const items = all.filter((item) => supervisor.mayRun(item));
  if (items.length === 0) return true;
  around.signal.throwIfAborted();
  const failure = await attempt(items, unit, around);
  if (failure === undefined) {
    supervisor.handled(items);
    return true;
  }
  if (items.length === 1) return supervisor.failed(items[0]!, failure.error);
  const middle = Math.ceil(items.length / 2);
  return (await bisect(items.slice(0, middle), unit, around, supervisor)) && bisect(items.slice(middle), unit, around, supervisor);
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
    // What a handler throws because it was told to stop is not its event's fault.
    if (around.signal.aborted || !concernsEvent(error)) throw error;
    await unit.client.query('ROLLBACK TO SAVEPOINT event; RELEASE SAVEPOINT event');
    return { error: explainAborted(error) };
  }
}
