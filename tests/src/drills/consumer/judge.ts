import type { Evidence, Letter } from './evidence.js';
import { deathOf, type DrillEvent, triesOf } from './fate.js';
import { judgeOrder } from './judge-order.js';

/** Each promise, and which events break it. */
export interface Verdict {
  readonly promise: string;
  /** What is wrong, in words; empty when the promise was kept. */
  readonly violations: readonly string[];
}

/** Starts that an event may have which ends or stops its process each time. */
const STARTS = 3;

/** Checks every promise of the protocol, exactly. Pure. */
export function judge(evidence: Evidence): Verdict[] {
  const found = new Findings(evidence);
  const each = (promise: string, check: (event: DrillEvent) => string | undefined): Verdict => ({
    promise,
    violations: evidence.events.flatMap((event) => check(event) ?? []).map((text) => text),
  });
  return [
    each('an effect happens at most once', (event) => found.twice(event)),
    each('an effect happens at least once, unless its event is a dead letter', (event) => found.lost(event)),
    { promise: 'first effects of a key happen in source order', violations: judgeOrder(evidence) },
    each('tries are charged exactly: at most 4, followers and outages none', (event) => found.charged(event)),
    each('dead letters are those that must die, and none else', (event) => found.death(event)),
    each('what kills or hangs begins three times', (event) => found.starts(event)),
    each('a letter is replayed once, however often it is asked for', (event) => found.replays(event)),
    each('every dead letter is in the DLQ topic, and nothing else', (event) => found.published(event)),
    { promise: 'nothing is held at the end', violations: evidence.held.map((id) => `${id} is held`) },
    each('nothing is claimed without effect or dead letter', (event) => found.claim(event)),
    { promise: 'nothing comes from nowhere', violations: found.strangers() },
  ];
}

class Findings {
  private readonly effects;
  private readonly letters;
  private readonly dlq;
  private readonly claims;
  private readonly starting;

  constructor(private readonly evidence: Evidence) {
    this.effects = Map.groupBy(evidence.effects, ({ eventId }) => eventId);
    this.letters = new Map(evidence.letters.map((letter) => [letter.eventId, letter]));
    this.dlq = Map.groupBy(evidence.dlq, (id) => id);
    this.claims = new Set(evidence.claims);
    this.starting = Map.groupBy(evidence.starts, (id) => id);
  }

  twice({ id }: DrillEvent): string | undefined {
    const count = this.effects.get(id)?.length ?? 0;
    return count > 1 ? `${id} took effect ${count} times` : undefined;
  }

  lost({ id }: DrillEvent): string | undefined {
    if (this.effects.has(id)) return undefined;
    const letter = this.letters.get(id);
    if (letter === undefined) return `${id} has neither effect nor dead letter`;
    return letter.state === 'replayed' ? `${id} was replayed and has no effect` : undefined;
  }

  charged({ id, fate }: DrillEvent): string | undefined {
    const [effect] = this.effects.get(id) ?? [];
    if (effect === undefined) return undefined;
    if (effect.early) return `${id} was tried again before its time`;
    const before = deathOf(fate) ? 0 : triesOf(fate) - 1;
    return effect.attempts === before ? undefined : `${id} took effect with ${effect.attempts} tries charged instead of ${before}`;
  }

  death({ id, fate }: DrillEvent): string | undefined {
    const letter = this.letters.get(id);
    const death = deathOf(fate);
    if (letter === undefined) return death ? `${id} is no dead letter` : undefined;
    const { kind, attempts, reason } = letter;
    if (!death) return `${id} is a dead letter (${kind}, ${attempts} attempts): ${reason}`;
    if (kind !== death.kind || attempts !== death.attempts) return `${id} died ${kind} with ${attempts} attempts: ${reason}`;
    if (kind === 'crashed' && reason !== 'crashed 3 workers') return `${id} died of: ${reason}`;
    return undefined;
  }

  starts({ id, fate }: DrillEvent): string | undefined {
    if (fate !== 'kills' && fate !== 'hangs') return undefined;
    const starts = this.starting.get(id)?.length ?? 0;
    const { databaseCrashes } = this.evidence;
    return starts >= 1 && starts <= STARTS + databaseCrashes ? undefined : `${id} began ${starts} times`;
  }

  replays({ id, fate }: DrillEvent): string | undefined {
    const letter = this.letters.get(id);
    if (letter === undefined) return undefined;
    const { replays, discards, state } = letter;
    const needed = deathOf(fate)?.replays ?? 1;
    const wrong =
      discards > 1 || replays > needed || (state === 'replayed' && replays !== needed) || (state === 'discarded') !== discards > 0;
    return wrong ? `${id} is ${state} after ${replays} replays and ${discards} discards` : undefined;
  }

  published({ id }: DrillEvent): string | undefined {
    const letter = this.letters.get(id);
    const records = this.dlq.get(id)?.length ?? 0;
    if (letter === undefined) return records > 0 ? `${id} is in the DLQ topic and no dead letter` : undefined;
    if (!letter.published) return `${id} is not marked as published`;
    const deaths = deathsOf(letter);
    return records < deaths ? `${id} died ${deaths} times and is in the DLQ topic ${records} times` : undefined;
  }

  claim({ id }: DrillEvent): string | undefined {
    const ended = this.effects.has(id) || this.letters.has(id);
    if (this.claims.has(id) === ended) return undefined;
    return ended ? `${id} has ended and is not claimed` : `${id} is claimed, without effect or dead letter`;
  }

  strangers(): string[] {
    const known = new Set(this.evidence.events.map(({ id }) => id));
    const found = new Set([...this.effects.keys(), ...this.letters.keys(), ...this.dlq.keys(), ...this.claims]);
    return [...found].filter((id) => !known.has(id)).map((id) => `${id} was never published`);
  }
}

/** It died once for the letter, and once more for every replay that did not help; a letter that is open died after all its replays. */
const deathsOf = ({ replays, state }: Letter): number => (state === 'replayed' ? replays : replays + 1);
