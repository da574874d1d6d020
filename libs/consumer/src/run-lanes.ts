import type { TopicPartition } from '@shopflow/kafka';
import type { Chunk, ChunkResult } from './chunk.js';
import { advanceOffset } from './consumed-offsets.js';
import { sortRecords } from './event-item.js';
import { concernsEvent } from './failure.js';
import { heldKeyOf, keyText } from './held/held-key.js';
import { packKeys } from './pack-keys.js';
import { type ChunkOptions, runChunk } from './run-chunk.js';

export interface LaneOptions extends ChunkOptions {
  readonly lanes: number;
  /** Hears of what was committed although the chunk failed. */
  readonly onCommitted: (partition: TopicPartition, result: ChunkResult) => void;
}

/**
 * Like {@link runChunk}, with the events of different keys at once, a few keys in each transaction: for handlers that wait for
 * something. The offset moves when all before it are done; after a crash, those that were done are duplicates.
 *
 * @throws what concerns no event; what other transactions have committed stays, and has been reported
 */
export async function runLanes(chunk: Chunk, options: LaneOptions): Promise<ChunkResult> {
  const results: ChunkResult[] = [];
  try {
    await inParallel(divide(chunk, options), options.lanes, async (pack) => void results.push(await runPack(pack, options)));
  } catch (error) {
    options.onCommitted(chunk, merge(results, chunk.from));
    throw error;
  }
  const to = Math.min(chunk.to, ...results.map((result) => result.to));
  await options.database.inTransaction((tx) => advanceOffset(tx, options.group, chunk, { ...options, from: chunk.from, to }));
  return merge(results, to);
}

/** Chunks of whole keys. */
function divide(chunk: Chunk, { subscriptions, lanes }: LaneOptions): Chunk[] {
  const { candidates } = sortRecords(chunk.records, subscriptions);
  const keys = new Map(candidates.map(({ record, identity }) => [record, keyText(heldKeyOf(record, identity))]));
  return packKeys(chunk.records, (record) => keys.get(record), lanes).map((records) => ({ ...chunk, records }));
}

/** When one of its events fails, the pack runs again one by one, and only that event is charged. */
async function runPack(pack: Chunk, options: ChunkOptions): Promise<ChunkResult> {
  const parts = { ...options, moveOffset: false };
  try {
    return await runChunk(pack, parts);
  } catch (error) {
    if (!concernsEvent(error)) throw error;
    return runChunk(pack, { ...parts, oneByOne: true });
  }
}

/** Runs `work` for each, `width` at once. After a failure begins nothing more; what is under way is waited for. */
async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (const item of waiting) {
      if (failure) return;
      await work(item).catch((error: unknown) => (failure ??= { error }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failure) throw failure.error;
}

function merge(results: readonly ChunkResult[], to: number): ChunkResult {
  const waitsFor = results.find((result) => result.waitsFor !== undefined)?.waitsFor;
  return {
    to,
    handled: results.flatMap(({ handled }) => handled),
    buried: results.flatMap(({ buried }) => buried),
    held: results.flatMap(({ held }) => held),
    wakeUps: results.flatMap(({ wakeUps }) => wakeUps),
    followers: results.reduce((sum, { followers }) => sum + followers, 0),
    duplicates: results.reduce((sum, { duplicates }) => sum + duplicates, 0),
    skipped: results.flatMap(({ skipped }) => skipped),
    ...(waitsFor !== undefined && { waitsFor }),
  };
}
