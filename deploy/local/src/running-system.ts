import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readIdentity, type Servers, ServersError } from '@shopflow/servers';
import { lockFileIn } from './running-lock.js';

/** Where the servers of a system that serves are. */
export interface RunningServers extends Pick<Servers, 'kafkaBrokers' | 'databaseUrl'> {
  /** `http://127.0.0.1:3005`; unknown of a system that an earlier version started. */
  readonly relayUrl?: string;
}

const fileIn = (dir: string) => join(dir, 'running.json');
/** The URL holds a password. */
const OWNER_ALONE = 0o600;

/** Writes down where the servers are while the system of `dir` serves, for commands in other terminals. */
export function noteRunning(dir: string, { kafkaBrokers, databaseUrl, relayUrl }: RunningServers): { forget(): void } {
  writeFileSync(fileIn(dir), `${JSON.stringify({ kafkaBrokers, databaseUrl, relayUrl })}\n`, { mode: OWNER_ALONE });
  return { forget: () => rmSync(fileIn(dir), { force: true }) };
}

/** What {@link noteRunning} wrote, or undefined when no system of `dir` serves: one that was killed could not take it away. */
export function readRunning(dir: string): RunningServers | undefined {
  const holder = readIdentity(lockFileIn(dir));
  if (!holder || !isAlive(holder)) return undefined;
  try {
    return JSON.parse(readFileSync(fileIn(dir), 'utf8')) as RunningServers;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // it is only starting
    throw new ServersError(`${fileIn(dir)} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Namespaces in which a system serves, of all that have a folder in `home`. */
export function servingNamespaces(home: string): string[] {
  if (!existsSync(home)) return [];
  const folders = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).filter((name) => readRunning(join(home, name)) !== undefined);
}
