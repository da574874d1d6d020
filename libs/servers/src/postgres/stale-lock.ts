import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf } from '../process/process-identity.js';
import { ServersError } from '../servers-error.js';

/**
 * After kill -9 or a power cut `postmaster.pid` stays behind. PostgreSQL removes it by itself, unless its number belongs to another
 * process by now: then the server would refuse to start until somebody deletes the file. So do that, if the process is no PostgreSQL.
 *
 * @throws ServersError when a PostgreSQL that we did not record runs on this data
 */
export async function removeStaleLock(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number((await readFile(lock, 'utf8')).split('\n')[0]);
  const command = commandOf(pid);
  if (command?.includes('postgres')) throw new ServersError(`PostgreSQL runs already on ${dataDir} (process ${pid}): stop it first`);
  if (command !== undefined) await rm(lock);
}
