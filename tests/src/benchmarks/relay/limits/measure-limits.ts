import { slotName } from '@shopflow/outbox';
import { physicalTopic } from '@shopflow/kafka';
import { withClient } from '@shopflow/servers';
import { foreignLoad } from '../../consumer/foreign-load.js';
import type { Bench, Place } from '../bench.js';
import { TOPIC } from '../event.js';
import { readAll } from '../measure-contender.js';
import type { Measurement } from '../measurement.js';
import { fill, withOutbox } from '../outbox-database.js';
import { withTopic } from '../topic.js';
import { LimitProcess } from './limit-process.js';
import type { LimitReport } from './limit.js';

/** Reads the same backlog twice, by two slots: each row once in each. */
export const measureDecodeOnly = (bench: Bench): Promise<Measurement> =>
  withOutbox(bench, async (place) => {
    await withClient(place.databaseUrl, async (client) => {
      for (const slot of slotsOf(place)) await client.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
    });
    await fill(place, 0, place.rows);
    const { cold, warm, ...found } = await measure('decode-only', place);
    const lost = 2 * place.rows - cold.events - warm.events;
    return { ...found, coldPerSecond: perSecond(cold), warmPerSecond: perSecond(warm), lost, repeated: 0, reordered: 0, malformed: 0 };
  });

/** Writes two backlogs, and reads them back as it is done with every contender. */
export const measureProduceOnly = (bench: Bench): Promise<Measurement> =>
  withOutbox(bench, (place) =>
    withTopic(place, async (topic) => {
      const { cold: _cold, warm: _warm, ...found } = await measure('produce-only', place);
      return { ...found, ...(await readAll(place, topic, 2 * place.rows)) };
    }),
  );

async function measure(name: string, place: Place) {
  const { brokers, databaseUrl, namespace, rows, signal } = place;
  const busyBefore = await foreignLoad();
  const settings = { brokers, databaseUrl, topic: physicalTopic(namespace, TOPIC), slots: slotsOf(place), rows };
  const process = LimitProcess.start(name, settings, signal);
  try {
    const cold = await process.workOff(0);
    const warm = await process.workOff(1);
    const { peakMb } = process.usage();
    return { name, busyBefore, cold, warm, peakMb, cpuSecondsPerMillion: (warm.cpuSeconds / rows) * 1e6, latency: undefined };
  } finally {
    await process.stop();
  }
}

const slotsOf = ({ namespace }: Place) => [slotName(namespace, 'cold'), slotName(namespace, 'warm')] as const;

const perSecond = ({ events, seconds }: LimitReport): number => events / seconds;
