import type { DrillEvent, Evidence, TakeOver } from './evidence.js';

/** Each promise, and what breaks it. */
export interface Verdict {
  readonly promise: string;
  /** What is wrong, in words; empty when the promise was kept. */
  readonly violations: readonly string[];
}

const CRASH_MS = 5_000;
const STOP_MS = 1_000;

/** Checks every promise of the relay that is not about time, exactly. Pure. */
export function judge(evidence: Evidence): Verdict[] {
  const { events, stored, published } = evidence;
  const known = new Map(events.map((event) => [event.id, event]));
  const there = new Set(published.map(({ id }) => id));
  const ids = [...there];
  return [
    { promise: 'the database keeps what it confirmed, and nothing else', violations: judgeDatabase(evidence) },
    { promise: 'every committed event is in Kafka', violations: [...stored].filter((id) => !there.has(id)).map((id) => `${id} is lost`) },
    {
      promise: 'nothing of what was rolled back is in Kafka',
      violations: ids.filter((id) => known.has(id) && !stored.has(id)).map((id) => `${id} was rolled back`),
    },
    { promise: 'first occurrences of a key come in the order of commits', violations: judgeOrder(evidence) },
    { promise: 'every record is as it was written', violations: judgeContent(evidence, known) },
    { promise: 'nothing comes from nowhere', violations: ids.filter((id) => !known.has(id)).map((id) => `${id} was never written`) },
    { promise: 'nothing waits at the end', violations: judgeBacklog(evidence) },
    { promise: 'outages set nothing aside and block nothing', violations: judgeAlarms(evidence) },
    { promise: 'no relay ends by itself, and a stop is a proper one', violations: evidence.oddEnds },
  ];
}

/** Promises about times. They hold on a machine that has processor time to spare; whether this one had is for people to say. */
export const judgeTimes = (evidence: Evidence): Verdict[] => [
  { promise: `another relay publishes within ${CRASH_MS / 1_000} s of a crash`, violations: judgeTakeOvers(evidence, 'crash', CRASH_MS) },
  { promise: `another relay publishes within ${STOP_MS / 1_000} s of a stop`, violations: judgeTakeOvers(evidence, 'stop', STOP_MS) },
];

/** Of a key, the committed places are 1, 2, 3 …: else they would not tell the order of its commits. */
function judgeDatabase({ events, stored }: Evidence): string[] {
  const wrong = events.filter(({ id, fate }) => fate !== 'unknown' && stored.has(id) !== (fate === 'committed'));
  const inTable = Map.groupBy(
    events.filter(({ id }) => stored.has(id)),
    ({ source, key }) => `${source} ${key}`,
  );
  const gaps = [...inTable].filter(([, ofKey]) => placesOf(ofKey).some((place, index) => place !== index + 1));
  return [...wrong.map(({ id, fate }) => `${id} is ${fate}, and the table says otherwise`), ...gaps.map(([key]) => `${key} has a gap`)];
}

const placesOf = (events: readonly DrillEvent[]): number[] => events.map(({ place }) => place).toSorted((a, b) => a - b);

function judgeOrder({ published }: Evidence): string[] {
  const seen = new Set<string>();
  const latest = new Map<string, { readonly id: string; readonly place: number }>();
  const violations: string[] = [];
  for (const record of published) {
    if (seen.has(record.id)) continue;
    seen.add(record.id);
    const key = `${record.source} ${record.key}`;
    const before = latest.get(key);
    if (before !== undefined && before.place > record.place) violations.push(`${record.id} comes after ${before.id}`);
    else latest.set(key, record);
  }
  return violations;
}

function judgeContent({ published }: Evidence, known: ReadonlyMap<string, DrillEvent>): string[] {
  return published.flatMap(({ id, source, key, place }) => {
    const event = known.get(id);
    const same = event === undefined || (event.source === source && event.key === key && event.place === place);
    return same ? [] : [`${id} is published as ${key}/${place} of ${source}`];
  });
}

function judgeBacklog({ waiting }: Evidence): string[] {
  return Object.entries(waiting).flatMap(([source, count]) => (count === 0 ? [] : [`${count} events of ${source} wait`]));
}

const judgeAlarms = ({ setAside, alarms }: Evidence): string[] => [...setAside.map((id) => `${id} is set aside`), ...alarms];

function judgeTakeOvers({ takeOvers }: Evidence, after: TakeOver['after'], limitMs: number): string[] {
  return takeOvers
    .filter((takeOver) => takeOver.after === after && takeOver.undisturbed && takeOver.ms > limitMs)
    .map(({ source, ms }) => `${source} after ${Math.round(ms)} ms`);
}
