import { UsageError } from '@shopflow/command-line';
import { expect, it } from 'vitest';
import { runAdoptCommand } from './adopt.js';
import type { OperatingContext } from './operating-context.js';

const context = {
  namespace: 'test',
  sources: [{ name: 'orders', databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere' }],
  relayUrls: [],
  terminal: undefined as unknown as OperatingContext['terminal'],
  clock: () => new Date('2026-11-30T10:00:00Z'),
} satisfies OperatingContext;

it.each([
  [[], 'wanted: adopt <source>'],
  [['orders', 'email'], 'wanted: adopt <source>'],
  [['order', '--why', 'x'], 'no source "order": one of orders'],
  [['orders', '--who', 'ada'], '--why is missing'],
  [['orders', '--why', 'x', '--since', 'yesterday'], '--since yesterday is no time'],
  [['orders', '--why', 'x', '--since', '2026-11-30T11:00:00Z'], 'lies ahead'],
])('asks for what is missing or wrong in adopt %j before it connects', async (args, message) => {
  const running = runAdoptCommand(context, args);
  await expect(running).rejects.toThrow(UsageError);
  await expect(running).rejects.toThrow(message);
});
