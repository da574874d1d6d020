import type { BatchObservableResult, Meter, Observable } from '@shopflow/telemetry/metrics';
import type { DatabaseReport } from '../source/database-report.js';
import type { DatabaseWatch } from '../source/database-watch.js';
import type { SourceState, SourceStatus } from '../source/source-status.js';
import { metricNames } from './metric-names.js';

export interface ObservedSource {
  readonly name: string;
  readonly status: Pick<SourceStatus, 'state' | 'published'>;
  readonly watch: Pick<DatabaseWatch, 'read'>;
}

/** A source's database is asked at most so often, however many look. */
const MAX_AGE_MS = 5_000;

/** Written as a table so that none is forgotten. */
const STATES: Readonly<Record<SourceState, true>> = {
  starting: true,
  active: true,
  standby: true,
  'waiting for broker': true,
  'waiting for database': true,
  refused: true,
  stopped: true,
};

/** What the database says, by metric. Null is not shown. */
const FROM_DATABASE: readonly { name: string; description: string; value: (report: DatabaseReport) => number | null }[] = [
  {
    name: metricNames.oldestUnpublishedAge,
    description: 'age of the oldest event that is not published yet',
    value: (report) => report.oldestAgeSeconds,
  },
  { name: metricNames.backlog, description: 'events that are not published yet', value: (report) => report.waiting },
  { name: metricNames.slotKept, description: 'log that the server keeps for the slot', value: (report) => report.slotKeptBytes },
  { name: metricNames.slotLag, description: 'log that is not acknowledged yet', value: (report) => report.slotLagBytes },
  { name: metricNames.slotSafe, description: 'log that may be written before the slot is lost', value: (report) => report.safeWalBytes },
  { name: metricNames.setAsideKeys, description: 'keys with events that are set aside', value: (report) => report.setAsideKeys },
  { name: metricNames.setAsideEvents, description: 'events that are set aside', value: (report) => report.setAsideEvents },
];

/** What is looked up whenever somebody looks. */
export class SourceGauges {
  readonly database: readonly Observable[];
  readonly databaseUp: Observable;
  readonly state: Observable;
  readonly published: Observable;

  constructor(meter: Meter) {
    this.database = FROM_DATABASE.map(({ name, description }) => meter.createObservableGauge(name, { description }));
    this.databaseUp = meter.createObservableGauge(metricNames.databaseUp, { description: 'whether the database of the source answers' });
    this.state = meter.createObservableGauge(metricNames.state, { description: 'whether the source is in this state' });
    this.published = meter.createObservableCounter(metricNames.published, { description: 'events that Kafka accepted' });
  }

  get all(): Observable[] {
    return [...this.database, this.databaseUp, this.state, this.published];
  }
}

export async function observeSource(
  result: BatchObservableResult,
  gauges: SourceGauges,
  { name, status, watch }: ObservedSource,
): Promise<void> {
  const source = { source: name };
  for (const state of Object.keys(STATES)) result.observe(gauges.state, state === status.state ? 1 : 0, { ...source, state });
  result.observe(gauges.published, status.published, source);
  const report = await watch.read(MAX_AGE_MS);
  result.observe(gauges.databaseUp, report === null ? 0 : 1, source);
  if (report === null) return;
  FROM_DATABASE.forEach(({ value }, index) => {
    const now = value(report);
    if (now !== null) result.observe(gauges.database[index]!, now, source);
  });
}
