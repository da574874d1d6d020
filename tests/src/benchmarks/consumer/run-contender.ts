import { setTimeout as delay } from 'node:timers/promises';
import { connectKafka, physicalGroup } from '@shopflow/kafka';
import { withClient } from '@shopflow/servers';
import type { Logger } from '@shopflow/telemetry';
import type { Client } from 'pg';
import { countRows, judge, withAuditDatabase } from './audit-database.js';
import { ContenderProcess } from './contender-process.js';
import type { ContenderReport, ContenderSettings } from './contender.js';
import { fillClaims } from './fill-claims.js';
import { foreignLoad } from './foreign-load.js';
import { recordsOf, topicOf, type Workload } from './workload.js';

export interface Contender {
  readonly name: string;
  /** Module in `contenders`. */
  readonly file: string;
  /** Reads only. */
  readonly raw?: true;
  /** Too slow for all of the records. */
  readonly few?: true;
  readonly settings?: Partial<ContenderSettings>;
  /** So many events has its group had before; none when left out. */
  readonly claimsBefore?: number;
}

export interface Measurement {
  readonly name: string;
  readonly records: number;
  readonly events: number;
  /** Events, copies not counted, per second between the first and the last audit row; of the raw reader records. */
  readonly perSecond: number;
  readonly cpuSecondsPerMillion: number;
  readonly rssMb: number;
  readonly exact: boolean;
  /** What other work used of the processors just before, in percent: above 10 the rates are worth little, ratios somewhat more. */
  readonly busyBefore: number;
  readonly lost: number;
  readonly twice: number;
}

export interface Place {
  readonly brokers: string;
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Tells a person how far it is. */
  readonly say: (message: string) => void;
}

const POLL_MS = 250;
/** Without any progress for so long a contender is given up. */
const PATIENCE_MS = 60_000;

/** Runs one contender over the whole topic, from the beginning, and judges what it has left. */
export const measure = (contender: Contender, workload: Workload, place: Place): Promise<Measurement> =>
  withAuditDatabase(place.databaseUrl, claimsBeforeOf(contender, place), async (databaseUrl) => {
    const { namespace } = workload;
    const { name, file, settings } = contender;
    const busyBefore = await foreignLoad();
    const given = { brokers: place.brokers, databaseUrl, namespace, topic: topicOf(workload), group: name, ...settings };
    const process = ContenderProcess.start(file, given);
    try {
      const found = contender.raw
        ? await measureReading(workload, process)
        : await withClient(databaseUrl, (client) => measureRows(contender, workload, place, process, client));
      return { name, records: recordsOf(workload), events: workload.events, busyBefore, ...found };
    } finally {
      await process.stop();
    }
  });

const claimsBeforeOf =
  ({ name, claimsBefore = 0 }: Contender, { say }: Place) =>
  async (client: Client): Promise<void> => {
    if (claimsBefore > 0) await fillClaims(client, name, claimsBefore, say);
  };

/** What is known of a contender before it has run. */
type Given = 'name' | 'records' | 'events' | 'busyBefore';
type Found = Omit<Measurement, Given>;

async function measureReading(workload: Workload, process: ContenderProcess): Promise<Found> {
  const records = recordsOf(workload);
  await reaches(records, async () => (await process.report()).records);
  const report = await process.report();
  const lost = records - report.records;
  return { ...costs(report, records), perSecond: records / report.seconds, exact: lost === 0, lost, twice: 0 };
}

async function measureRows(
  { name: group, claimsBefore = 0 }: Contender,
  workload: Workload,
  place: Place,
  process: ContenderProcess,
  client: Client,
): Promise<Found> {
  const { events } = workload;
  await reaches(events, () => countRows(client));
  const report = await process.report();
  // The last records may be copies: whether they leave anything is only known when they are done.
  await withCommittedOffsets(place, workload, group, (committed) => reaches(recordsOf(workload), committed));
  const { lost, twice, unclaimed, seconds } = await judge(client, group, events, claimsBefore);
  const exact = lost === 0 && twice === 0 && unclaimed === 0;
  return { ...costs(report, events), perSecond: events / seconds, exact, lost, twice };
}

const costs = ({ cpuSeconds, rssMb }: ContenderReport, count: number) => ({ cpuSecondsPerMillion: (cpuSeconds / count) * 1e6, rssMb });

async function withCommittedOffsets(
  { brokers, logger }: Place,
  workload: Workload,
  group: string,
  work: (committed: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const admin = connectKafka({ brokers, clientId: 'bench', logger }).admin();
  await admin.connect();
  try {
    await work(async () => {
      const found = await admin.fetchOffsets({ groupId: physicalGroup(workload.namespace, group), topics: [topicOf(workload)] });
      return found.flatMap(({ partitions }) => partitions).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
    });
  } finally {
    await admin.disconnect();
  }
}

/** Waits until `count` has reached `goal`, or has not grown for a minute: what is missing then shows in the result. */
async function reaches(goal: number, count: () => Promise<number>): Promise<void> {
  let seen = -1;
  let changed = Date.now();
  while (seen < goal && Date.now() - changed < PATIENCE_MS) {
    const now = await count();
    if (now > seen) changed = Date.now();
    seen = Math.max(seen, now);
    if (seen < goal) await delay(POLL_MS);
  }
}
