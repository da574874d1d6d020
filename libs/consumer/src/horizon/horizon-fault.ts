/** What can bring an event to a group again, in milliseconds. */
export interface ArrivalParts {
  readonly sources: readonly {
    /** The name on the broker. */
    readonly topic: string;
    /** Infinite when the topic keeps its records for ever. */
    readonly retentionMs: number;
    /** Added to the retention: records are deleted by the segment. */
    readonly segmentMs: number;
  }[];
  /** All pauses between the attempts of one event. */
  readonly retriesMs: number;
  readonly dlq: { readonly topic: string; readonly retentionMs: number };
}

const DAY_MS = 86_400_000;

/** A group would forget that it had taken charge of an event while that event can still arrive: it would take effect twice. */
export class HorizonTooShortError extends Error {
  constructor(
    readonly group: string,
    readonly horizonDays: number,
    /** Whole days that would do; infinite when a topic keeps its records for ever. */
    readonly neededDays: number,
    parts: readonly string[],
  ) {
    super(
      `group ${group} remembers events for ${days(horizonDays * DAY_MS)} (dedupRetentionDays), and they can arrive for longer: ` +
        `${parts.join('; ')}. ${remedyFor(neededDays)}`,
    );
    this.name = 'HorizonTooShortError';
  }
}

/** Undefined when the horizon covers everything that can still arrive. */
export function horizonFault(group: string, horizonDays: number, parts: ArrivalParts): HorizonTooShortError | undefined {
  const longest = Math.max(0, ...parts.sources.map(({ retentionMs, segmentMs }) => retentionMs + segmentMs));
  const neededDays = Math.ceil((longest + parts.retriesMs + parts.dlq.retentionMs) / DAY_MS);
  if (horizonDays * DAY_MS >= longest + parts.retriesMs + parts.dlq.retentionMs) return undefined;
  return new HorizonTooShortError(group, horizonDays, neededDays, inWords(parts));
}

function inWords({ sources, retriesMs, dlq }: ArrivalParts): string[] {
  return [
    ...sources.map(({ topic, retentionMs, segmentMs }) => `${topic} ${keeps(retentionMs)}, plus ${days(segmentMs)} for its segment`),
    `retries take ${days(retriesMs)}`,
    `${dlq.topic} ${keeps(dlq.retentionMs)}`,
  ];
}

const keeps = (ms: number): string =>
  ms === Infinity ? 'keeps its records for ever (retention.ms=-1, or cleanup.policy=compact)' : `keeps ${days(ms)} (retention.ms)`;

const days = (ms: number): string => (ms === Infinity ? 'ever' : `${Number((ms / DAY_MS).toFixed(2))} days`);

const remedyFor = (neededDays: number): string =>
  neededDays === Infinity
    ? 'Give the topic a retention.ms and cleanup.policy=delete, or set dedupRetentionDays to Infinity: then nothing is ever forgotten'
    : `Set dedupRetentionDays to ${neededDays} or more, or shorten retention.ms or segment.ms of the topic`;
