import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@shopflow/servers';
import { readCounts } from './counts.js';
import type { FaultSequence } from './faults/fault-sequence.js';
import type { Member } from './members.js';
import type { Publisher } from './publisher.js';

const EVERY_MS = 5_000;

export interface Watched {
  readonly databaseUrl: string;
  readonly publisher: Publisher;
  readonly members: readonly Member[];
  readonly faults: FaultSequence;
}

/** Says every few seconds how far it is. */
export async function tellProgress(watched: Watched, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const began = Date.now();
  while (!signal.aborted) {
    say(`${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${await lineOf(watched)}`);
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function lineOf({ databaseUrl, publisher, members, faults }: Watched): Promise<string> {
  const states = members.map(({ state }) => ({ down: '-', running: 'r', frozen: 'f', stopping: 's' })[state]).join('');
  const found = await withClient({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000 }, readCounts).then(
    ({ effects, held, dead }) => `effects ${effects}, held ${held}, dead ${dead}`,
    () => 'the database does not answer',
  );
  return `published ${publisher.accepted}, ${found}, members ${states}; ${faults.last}`;
}
