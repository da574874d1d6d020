import type { FoundEntry } from './find-entries.js';

export interface Wish {
  readonly what: 'retry' | 'discard';
  /** Discard also what waits behind. */
  readonly behind: boolean;
}

/** What is to be done with an entry, and what a person is told about it. */
export interface Verdict {
  readonly result: 'retry asked' | 'discarded' | 'nothing to do' | 'refused';
  readonly detail: string;
}

/** Decides whether a wish about an event can be fulfilled. */
export function judgeEntry(entry: FoundEntry, { what, behind }: Wish): Verdict {
  if (entry.state !== 'waiting') return { result: 'nothing to do', detail: decidedBefore(entry) };
  return what === 'retry' ? judgeRetry(entry) : judgeDiscard(entry, behind);
}

function judgeRetry(entry: FoundEntry): Verdict {
  if (entry.head !== entry.eventId)
    return {
      result: 'refused',
      detail: `it waits behind ${entry.head} (${keyOf(entry)}); retry or discard that one, and this one follows`,
    };
  if (entry.pending) return { result: 'nothing to do', detail: `${askedBy(entry)} and the relay has not come to it yet` };
  return {
    result: 'retry asked',
    detail: `the relay tries it again${entry.behind > 0 ? `, then ${counted(entry.behind)} behind it` : ''}`,
  };
}

function judgeDiscard(entry: FoundEntry, behind: boolean): Verdict {
  if (behind)
    return { result: 'discarded', detail: `it is never published${entry.behind > 0 ? `, nor ${counted(entry.behind)} behind it` : ''}` };
  if (entry.head !== entry.eventId)
    return {
      result: 'refused',
      detail: `it waits behind ${entry.head} (${keyOf(entry)}); decide about that one, or give up this one and all behind it with --behind`,
    };
  if (entry.reason === null)
    return {
      result: 'refused',
      detail: 'Kafka has not refused it: the relay tries it by itself; --behind gives it up all the same, and all behind it',
    };
  return {
    result: 'discarded',
    detail: `it is never published${entry.behind > 0 ? `; ${counted(entry.behind)} behind it can go on` : ''}`,
  };
}

const counted = (events: number): string => (events === 1 ? 'the one' : `the ${events}`);
const keyOf = ({ topic, key }: FoundEntry): string => `key ${key} of ${topic}`;
const askedBy = ({ who, askedAt }: FoundEntry): string => `${who} asked for a retry at ${askedAt?.toISOString()}`;
const decidedBefore = ({ state, decidedAt, who }: FoundEntry): string =>
  `${state} at ${decidedAt?.toISOString()}${state === 'discarded' && who !== null ? ` by ${who}` : ''}`;
