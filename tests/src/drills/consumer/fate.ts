/**
 * What happens to an event in the drill's handlers, as its id says:
 * - `healthy`: takes effect
 * - `slow`: takes effect after half a second
 * - `heals-N`: fails until its Nth try that counts
 * - `doomed`: fails until it is replayed; `stubborn` until it is replayed twice
 * - `refused`: says that it never heals, until it is replayed
 * - `kills`: kills its process, until it is replayed
 * - `hangs`: stays over its time limit and writes then, until it is replayed
 */
export const FATES = ['healthy', 'slow', 'heals-2', 'heals-3', 'heals-4', 'doomed', 'stubborn', 'refused', 'kills', 'hangs'] as const;
export type Fate = (typeof FATES)[number];

/** How an event of a fate dies, if it does. */
export interface Death {
  readonly kind: 'exhausted' | 'permanent' | 'crashed';
  /** Tries that were charged. */
  readonly attempts: number;
  /** Replays that it takes to make it take effect. */
  readonly replays: number;
}

const DEATHS: Partial<Record<Fate, Death>> = {
  doomed: { kind: 'exhausted', attempts: 4, replays: 1 },
  stubborn: { kind: 'exhausted', attempts: 4, replays: 2 },
  refused: { kind: 'permanent', attempts: 1, replays: 1 },
  kills: { kind: 'crashed', attempts: 0, replays: 1 },
  hangs: { kind: 'crashed', attempts: 0, replays: 1 },
};

export const deathOf = (fate: Fate): Death | undefined => DEATHS[fate];

const TRIES: Partial<Record<Fate, number>> = { 'heals-2': 2, 'heals-3': 3, 'heals-4': 4 };

/** At which of its charged tries an event takes effect that has not died. */
export const triesOf = (fate: Fate): number => TRIES[fate] ?? 1;

/** How a key's events are handled: one by one (`each`), one by one with dead ones blocking their key (`block`), or in batches. */
export const KEY_KINDS = ['each', 'block', 'batch'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** An event as its id describes it: `doomed/ORD-block-017/42` is the 42nd of its key. */
export interface DrillEvent {
  readonly id: string;
  readonly fate: Fate;
  readonly kind: KeyKind;
  readonly key: string;
  /** Its place among the events of its key, from 1. */
  readonly place: number;
}

export const keyOf = (kind: KeyKind, number: number): string => `ORD-${kind}-${String(number).padStart(3, '0')}`;
export const kindOf = (key: string): KeyKind => key.split('-')[1] as KeyKind;

export const idOf = (fate: Fate, key: string, place: number): string => `${fate}/${key}/${place}`;

/** @throws Error for an id that is none of the drill's */
export function eventOf(id: string): DrillEvent {
  const [fate, key, place] = id.split('/') as [Fate, string, string];
  const kind = kindOf(key);
  if (!FATES.includes(fate) || !KEY_KINDS.includes(kind)) throw new Error(`${id} is no event of the drill`);
  return { id, fate, kind, key, place: Number(place) };
}
