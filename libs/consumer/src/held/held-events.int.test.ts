import { eventually } from '@shopflow/testing';
import { describe, expect, it } from 'vitest';
import { listDeadLetters } from '../dead-letters/list-dead-letters.js';
import { Subscribe, type EventContext, PermanentError } from '../index.js';
import { Controller } from '@nestjs/common';
import { orderCreated } from '@shopflow/contracts';
import { consumerOf, type OrderCreated } from '../test-support/consumer-of.js';
import { consumingService } from '../test-support/consuming-service.js';
import { effect, effects } from '../test-support/effects.js';
import { publish } from '../test-support/publish.js';
import { recordingLogger } from '../test-support/recording-logger.js';
import { discardDeadLetter, replayDeadLetter } from './replay-dead-letter.js';

const service = consumingService();
const QUICK = { retryDelaysMs: [100, 150, 200], sweepMs: 1_000, sweepGraceMs: 1_000 } as const;
const decision = { who: 'sre', why: 'the provider is back', now: new Date() };
const held = async () =>
  (
    await service.database.query<{ event_id: string; attempts: number; waits_for: string }>(
      'SELECT event_id, attempts, waits_for FROM held_events ORDER BY seq',
    )
  ).rows;

/** A consumer that fails for the given events while they are in the set. */
function failing(bad: Set<string>, error: () => Error = () => new Error('mail provider timed out')) {
  const tries: string[] = [];
  const consumer = consumerOf(async (event, { tx }) => {
    await effect(tx, event);
    if (bad.has(event.id)) {
      tries.push(event.id);
      throw error();
    }
  });
  return { consumer, tries };
}

describe('an event that fails and may heal', () => {
  it('waits for its retry with everything behind it on its key, while other keys go on', async () => {
    await service.createTopic();
    const { logger, lines } = recordingLogger();
    const bad = new Set(['a1']);
    const { consumer } = failing(bad);
    const { group } = await service.start(consumer, { ...QUICK, logger });
    await publish(
      service.order({ id: 'a1', orderId: 'ORD-A', correlationId: 'req-81c2' }),
      service.order({ id: 'b1', orderId: 'ORD-B' }),
      service.order({ id: 'a2', orderId: 'ORD-A' }),
    );
    await eventually(() => group.stats().handled === 1 && group.stats().followers === 1);
    expect(await effects(service.database)).toEqual(['b1']);
    bad.clear();
    await eventually(() => group.stats().handled === 3);
    expect(await effects(service.database)).toEqual(['b1', 'a1', 'a2']);
    expect(await held()).toEqual([]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', eventId: 'a1', correlationId: 'req-81c2', attempts: 1, reason: 'mail provider timed out' }),
    );
  });

  it('becomes a dead letter after four tries, and its followers go on in order', async () => {
    await service.createTopic();
    const { consumer, tries } = failing(new Set(['a1']));
    const { group } = await service.start(consumer, QUICK);
    await publish(...['a1', 'a2', 'a3'].map((id) => service.order({ id, orderId: 'ORD-A' })));
    await eventually(() => group.stats().handled === 2);
    // Once together with its neighbours, then four times by itself.
    expect(tries).toEqual(['a1', 'a1', 'a1', 'a1', 'a1']);
    expect(await effects(service.database)).toEqual(['a2', 'a3']);
    expect(await listDeadLetters(service.database, 'audit')).toMatchObject([
      { eventId: 'a1', attempts: 4, errorKind: 'exhausted', reason: 'mail provider timed out' },
    ]);
    expect(await held()).toEqual([]);
  });

  it('waits, uncharged, when it is newer than this code, and is handled by code that reads it', async () => {
    await service.createTopic();
    await publish(service.order({ id: 'a' }), service.order({ id: 'new', version: 4, orderId: 'ORD-N' }), service.order({ id: 'c' }));
    const { group } = await service.start(consumerOf(), QUICK);
    await eventually(() => group.stats().handled === 2);
    expect(await held()).toEqual([{ event_id: 'new', attempts: 0, waits_for: 'newer code' }]);
    expect(await listDeadLetters(service.database, 'audit')).toEqual([]);
  });
});

describe('a dead letter', () => {
  it('is replayed once, however often it is asked for', async () => {
    await service.createTopic();
    const bad = new Set(['a1']);
    const { consumer } = failing(bad, () => new PermanentError('mailbox does not exist'));
    const { group } = await service.start(consumer, QUICK);
    await publish(service.order({ id: 'a1', orderId: 'ORD-A' }));
    await eventually(() => group.stats().deadLettered === 1);
    bad.clear();
    const letter = { consumer: 'audit', source: 'orders', eventId: 'a1' };
    const clicks = await Promise.all([1, 2, 3].map(() => replayDeadLetter(service.database, letter, decision)));
    expect(clicks.filter(({ replayed }) => replayed)).toHaveLength(1);
    await eventually(() => group.stats().healed === 1);
    expect(await effects(service.database)).toEqual(['a1']);
    expect(await listDeadLetters(service.database, 'audit')).toMatchObject([{ state: 'replayed' }]);
  });

  it('blocks its key where its subscription says so, until it is discarded', async () => {
    await service.createTopic();
    @Controller()
    class Blocking {
      @Subscribe(orderCreated, { afterDeath: 'block' })
      async onOrder(event: OrderCreated, { tx }: EventContext) {
        await effect(tx, event);
        if (event.id === 'a1') throw new PermanentError('no');
      }
    }
    const { group } = await service.start(Blocking, QUICK);
    await publish(...['a1', 'a2'].map((id) => service.order({ id, orderId: 'ORD-A' })), service.order({ id: 'b1', orderId: 'ORD-B' }));
    await eventually(() => group.stats().handled === 1 && group.stats().followers === 1);
    expect(await held()).toMatchObject([{ event_id: 'a1', waits_for: 'a decision' }, { event_id: 'a2' }]);
    const letter = { consumer: 'audit', source: 'orders', eventId: 'a1' };
    expect(await discardDeadLetter(service.database, letter, decision)).toMatchObject({ discarded: true });
    expect(await discardDeadLetter(service.database, letter, decision)).toEqual({ discarded: false });
    await eventually(() => group.stats().handled === 2);
    expect(await effects(service.database)).toEqual(['b1', 'a2']);
  });

  it('blocks its key by itself after so many heads of it have died in a row', async () => {
    await service.createTopic();
    const ids = ['a1', 'a2', 'a3'];
    const { consumer } = failing(new Set(ids));
    const { group } = await service.start(consumer, { ...QUICK, retryDelaysMs: [20, 20, 20], blockAfterDeaths: 2 });
    await publish(...ids.map((id) => service.order({ id, orderId: 'ORD-A' })));
    await eventually(() => group.stats().deadLettered === 2, { timeoutMs: 20_000 });
    expect(await held()).toMatchObject([
      { event_id: 'a2', waits_for: 'a decision' },
      { event_id: 'a3', waits_for: 'its turn' },
    ]);
  });
});
