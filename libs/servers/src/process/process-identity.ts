import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** A process beyond doubt: numbers are given out again, but not with the same start time. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** Undefined when there is no such process, or only its remains that nobody has collected. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = existsSync('/proc/self/stat') ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export const isAlive = ({ pid, startedAt }: ProcessIdentity): boolean => identify(pid)?.startedAt === startedAt;

export function writeIdentity(file: string, identity: ProcessIdentity): void {
  writeFileSync(file, JSON.stringify(identity));
}

/** Like {@link writeIdentity}, whole or not at all. False when the file exists already: of two at once, one is told true. */
export function createIdentity(file: string, identity: ProcessIdentity): boolean {
  const draft = `${file}.${identity.pid}`;
  writeIdentity(draft, identity);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** What {@link writeIdentity} wrote; undefined when there is none, or when the machine stopped in the middle of writing it. */
export function readIdentity(file: string): ProcessIdentity | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  return /^\{"pid":\d+,"startedAt":"[^"]*"\}$/.test(text) ? (JSON.parse(text) as ProcessIdentity) : undefined;
}

export const removeIdentity = (file: string): void => rmSync(file, { force: true });

/** Fields 3 and 22 of proc(5) stat; the command name before them may itself contain spaces and parentheses. */
function startTimeFromProc(pid: number): string | undefined {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined; // it ended just now
    throw error;
  }
}

const startTimeFromPs = (pid: number) => askPs(pid, 'lstart=');

/** The name of the program that a process runs; undefined when there is no such process. */
export function commandOf(pid: number): string | undefined {
  if (identify(pid) === undefined) return undefined;
  return existsSync(`/proc/${pid}/comm`) ? readFileSync(`/proc/${pid}/comm`, 'utf8').trim() : askPs(pid, 'comm=');
}

function askPs(pid: number, column: string): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}
