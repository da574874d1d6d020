import { describe, expect, it } from 'vitest';
import type { Effect, Evidence, Letter } from './evidence.js';
import { deathOf, eventOf, type Fate, idOf, keyOf } from './fate.js';
import { judge } from './judge.js';

const A = keyOf('each', 1);
const BLOCK = keyOf('block', 2);
const healthy = (place: number, key = A) => idOf('healthy', key, place);
const effect = (eventId: string, attempts = 0): Effect => ({ eventId, attempts, early: false });

/** The letter of an event that died as it must. */
function letter(fate: Fate, changes: Partial<Letter> = {}): Letter {
  const { kind, attempts } = deathOf(fate)!;
  const reason = kind === 'crashed' ? 'crashed 3 workers' : 'no';
  const state = { state: 'open', published: true, replays: 0, discards: 0 } as const;
  return { eventId: idOf(fate, A, 9), kind, attempts, reason, ...state, ...changes };
}

/** What a group leaves that does everything right: all that was published took effect or has a letter. */
function evidence({ effects, letters, ...changes }: Partial<Evidence> = {}): Evidence {
  const ids = [...new Set([...(effects ?? []), ...(letters ?? [])].map(({ eventId }) => eventId))];
  const dlq = (letters ?? []).map(({ eventId }) => eventId);
  const starts = ids.filter((id) => /^(kills|hangs)/.test(id)).flatMap((id) => [id, id, id]);
  const stored = { effects: effects ?? [], letters: letters ?? [], claims: ids, held: [] };
  return { ...stored, events: ids.map(eventOf), dlq, starts, databaseCrashes: 0, ...changes };
}

const violations = (found: Evidence): string[] => judge(found).flatMap((verdict) => verdict.violations);

describe('nothing is said against', () => {
  it.each<[string, Partial<Evidence>]>([
    ['effects in order', { effects: [effect(healthy(1)), effect(healthy(2)), effect(healthy(1, BLOCK))] }],
    ['an event that healed with its tries charged', { effects: [effect(idOf('heals-3', A, 1), 2), effect(healthy(2))] }],
    ['every way to die', { letters: (['doomed', 'stubborn', 'refused', 'kills', 'hangs'] as const).map((fate) => letter(fate)) }],
    ['a discarded letter', { letters: [letter('doomed', { state: 'discarded', discards: 1 })] }],
    [
      'a replayed event that comes after later ones of its key',
      { effects: [effect(healthy(10)), effect(idOf('doomed', A, 9))], letters: [letter('doomed', { state: 'replayed', replays: 1 })] },
    ],
  ])('%s', (_what, found) => {
    expect(violations(evidence(found))).toEqual([]);
  });
});

const DOOMED = idOf('doomed', A, 9);
const blockedDeath = letter('refused', { eventId: idOf('refused', BLOCK, 1), state: 'replayed', replays: 1 });

describe('it is seen when', () => {
  it.each<[string, string, Partial<Evidence>]>([
    ['an effect happens twice', 'took effect 2 times', { effects: [effect(healthy(1)), effect(healthy(1))] }],
    ['an event is lost', 'neither effect nor dead letter', { events: [eventOf(healthy(1))] }],
    ['a replay has no effect', 'has no effect', { letters: [letter('doomed', { state: 'replayed', replays: 1 })] }],
    ['a key is out of order', `${healthy(1)} took effect after ${healthy(2)}`, { effects: [effect(healthy(2)), effect(healthy(1))] }],
    [
      'a dead head that blocks is passed',
      'took effect after',
      { effects: [effect(healthy(2, BLOCK)), effect(blockedDeath.eventId)], letters: [blockedDeath] },
    ],
    ['a follower is charged', '1 tries charged instead of 0', { effects: [effect(healthy(1), 1)] }],
    ['a try is early', 'before its time', { effects: [{ ...effect(idOf('heals-2', A, 1), 1), early: true }] }],
    ['a healthy event dies', 'is a dead letter', { letters: [letter('kills', { eventId: healthy(1) })] }],
    ['an event dies too late', 'with 5 attempts', { letters: [letter('doomed', { attempts: 5 })] }],
    ['an event does not die', 'is no dead letter', { effects: [effect(DOOMED)] }],
    ['a killing event begins too often', 'began 4 times', { letters: [letter('kills')], starts: Array(4).fill(letter('kills').eventId) }],
    ['a letter is replayed twice', 'after 2 replays', { letters: [letter('doomed', { state: 'replayed', replays: 2 })] }],
    ['a letter is not in the DLQ topic', 'in the DLQ topic 0 times', { letters: [letter('doomed')], dlq: [] }],
    ['a letter is not marked as published', 'not marked', { letters: [letter('doomed', { published: false })] }],
    ['the DLQ topic has an event that lives', 'and no dead letter', { effects: [effect(healthy(1))], dlq: [healthy(1)] }],
    ['something is still held', 'is held', { held: [healthy(1)] }],
    ['a claim is left', 'is claimed', { events: [eventOf(healthy(1))], claims: [healthy(1)] }],
    ['a claim is missing', 'not claimed', { effects: [effect(healthy(1))], claims: [] }],
    ['something was never published', 'never published', { effects: [effect(healthy(1))], events: [] }],
  ])('%s', (_what, said, found) => {
    expect(violations(evidence(found)).join('\n')).toContain(said);
  });
});
