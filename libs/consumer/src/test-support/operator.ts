import type { Terminal } from '@shopflow/command-line';
import { topics } from '@shopflow/contracts';
import type { Database } from '@shopflow/database';
import { kafkaBrokers } from '@shopflow/testing';
import type { OperatedGroup } from '../commands/operated-group.js';
import { runOperation } from '../commands/operate.js';
import type { Death } from '../dead-letters/dead-letter.js';
import { openDeadLetter } from '../dead-letters/open-dead-letter.js';
import { consumed } from './chunk-of.js';
import { orderRecord, type TestEvent } from './publish.js';

export interface Outcome {
  readonly ok: boolean;
  /** Everything that went to standard output. */
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

/** Somebody at a terminal, who operates group `audit`. */
export function operator(test: { url: string }, namespace: string, service: Partial<OperatedGroup> = {}) {
  const config = () => ({ databaseUrl: test.url, kafkaBrokers: kafkaBrokers(), shopflowNamespace: namespace });
  const group: OperatedGroup = { group: 'audit', config, topics: [topics.orders], rebuild: { tables: ['effects'] }, ...service };
  return async (...args: string[]): Promise<Outcome> => {
    const [printed, notes]: [string[], string[]] = [[], []];
    const terminal: Terminal = { print: async (line) => void printed.push(line), note: (line) => void notes.push(line) };
    const { lines, ok } = await runOperation(group, args, terminal);
    return { ok, lines: [...printed, ...lines], notes };
  };
}

/** Opens a letter of an order's event, at an offset of partition 0. */
export async function opens(database: Database, event: TestEvent & { id: string }, death: Partial<Death> & { offset?: number } = {}) {
  const { offset = 7, ...change } = death;
  const record = consumed(orderRecord('', event), offset);
  const failedAt = new Date('2026-11-30T10:00:00Z');
  await database.inTransaction((tx) =>
    openDeadLetter(tx, {
      consumer: 'audit',
      source: 'orders',
      eventId: event.id,
      type: 'order.created',
      version: event.version ?? 3,
      orderId: event.orderId ?? null,
      correlationId: event.correlationId ?? null,
      record,
      attempts: 4,
      errorKind: 'exhausted',
      reason: 'the ledger answered 503',
      firstFailedAt: failedAt,
      lastFailedAt: failedAt,
      ...change,
    }),
  );
}
