import { withClient } from '@shopflow/servers';
import type { FaultSequence } from '../fault-sequence.js';
import { readCounts } from './counts.js';
import type { Stage } from './faults/fault.js';
import type { Member } from './members.js';
import type { Publisher } from './publisher.js';

export interface Watched {
  readonly databaseUrl: string;
  readonly publisher: Publisher;
  readonly members: readonly Member[];
  readonly faults: FaultSequence<Stage>;
}

/** How far the drill is. */
export async function progressLine({ databaseUrl, publisher, members, faults }: Watched): Promise<string> {
  const states = members.map(({ state }) => ({ down: '-', running: 'r', frozen: 'f', stopping: 's' })[state]).join('');
  const found = await withClient({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000 }, readCounts).then(
    ({ effects, held, dead }) => `effects ${effects}, held ${held}, dead ${dead}`,
    () => 'the database does not answer',
  );
  return `published ${publisher.accepted}, ${found}, members ${states}; ${faults.last}`;
}
