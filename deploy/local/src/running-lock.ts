import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createIdentity, identify, isAlive, type ProcessIdentity, readIdentity, removeIdentity, ServersError } from '@shopflow/servers';

/** Names the process that uses a namespace of this clone. */
export const lockFileIn = (dir: string): string => join(dir, 'running.pid');

/** Lets one `npm start` at a time use a namespace of this clone; of two at once, one. @throws ServersError naming the other one */
export function takeLock(dir: string, namespace: string): { release(): void } {
  mkdirSync(dir, { recursive: true });
  const file = lockFileIn(dir);
  const ourselves = identify(process.pid) as ProcessIdentity;
  for (let made = false; ;) {
    made = createIdentity(file, ourselves) || made;
    const other = readIdentity(file);
    if (made && isSame(other, ourselves)) break; // not always at once: another start may have moved it aside, and puts it back
    if (other && isAlive(other)) throw runsAlready(namespace, other);
    removeStale(file);
  }
  return { release: () => isSame(readIdentity(file), ourselves) && removeIdentity(file) };
}

const isSame = (one: ProcessIdentity | undefined, other: ProcessIdentity): boolean =>
  one?.pid === other.pid && one.startedAt === other.startedAt;

/** Moved aside before it is deleted: should another start have replaced it meanwhile, what was moved is its lock and goes back. */
function removeStale(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    const moved = readIdentity(aside);
    if (moved && isAlive(moved)) linkSync(aside, file);
  } catch (error) {
    // The other start has moved it already, or has taken the place.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

const runsAlready = (namespace: string, { pid }: ProcessIdentity) =>
  new ServersError(
    `ShopFlow runs already in namespace ${namespace} (process ${pid}): stop it first, or start another with SHOPFLOW_NAMESPACE=…`,
  );
