import { foreignLoad } from '../consumer/foreign-load.js';
import type { Bench, Place } from './bench.js';
import type { Contender, RunningContender } from './contender.js';
import { latencyEvents, measureLatency } from './latency.js';
import type { Measurement } from './measurement.js';
import { fill, withOutbox } from './outbox-database.js';
import { usageOf } from './process-usage.js';
import { type BenchTopic, readRecords, withTopic } from './topic.js';
import { Verification } from './verification.js';

/** Measures one relay: cold, warm, then its latency; and reads everything that it wrote. */
export const measureContender = (contender: Contender, bench: Bench): Promise<Measurement> =>
  withOutbox(bench, (place) =>
    withTopic(place, async (topic) => {
      await contender.prepare(place);
      await fill(place, 0, place.rows);
      const busyBefore = await foreignLoad();
      const running = await contender.start(place);
      try {
        return { name: contender.name, busyBefore, ...(await measureRunning(contender.name, running, place, topic)) };
      } finally {
        await running.stop();
      }
    }),
  );

type Found = Omit<Measurement, 'name' | 'busyBefore'>;

async function measureRunning(name: string, running: RunningContender, place: Place, topic: BenchTopic): Promise<Found> {
  const { rows, latencySeconds } = place;
  const usage = () => usageOf(running.pid, name, () => running.lastWords?.() ?? '');
  await topic.reaches(rows, usage);
  const { cpuSeconds: before } = usage();
  await whileFrozen(running.pid, place, () => fill(place, rows, 2 * rows));
  await topic.reaches(2 * rows, usage);
  const { cpuSeconds: after } = usage();
  const latency = latencySeconds > 0 ? await measureLatency(place, topic.name, 2 * rows) : undefined;
  const { peakMb } = usage();
  const written = await readAll(place, topic, 2 * rows + latencyEvents(latencySeconds));
  return { ...written, latency, cpuSecondsPerMillion: ((after - before) / rows) * 1e6, peakMb };
}

/** The relay lets the server take its slot away after 10 s of silence: what is measured then has a new connection in its middle. */
const LONGEST_FREEZE_MS = 9_000;

/** The process does nothing while a backlog is laid out for it. */
async function whileFrozen(pid: number, { say }: Place, work: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const began = performance.now();
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const ms = performance.now() - began;
  if (ms > LONGEST_FREEZE_MS) say(`  frozen for ${Math.round(ms / 1_000)} s, long enough to lose the connection: try fewer --rows`);
}

/** Judges the records by their ids, and takes the rates of both backlogs from their times. */
export async function readAll(place: Place, topic: BenchTopic, events: number) {
  const verification = new Verification(place.rows);
  await readRecords(place, topic, await topic.records(), (record) => verification.add(record));
  const [cold, warm] = [verification.perSecond(0), verification.perSecond(1)];
  return { coldPerSecond: cold ?? 0, warmPerSecond: warm ?? 0, ...verification.faults(events) };
}
