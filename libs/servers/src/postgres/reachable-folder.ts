import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Account, mayEnter } from './unprivileged-account.js';

/** Only root writes here, so nobody can prepare what we will find. */
const OUTSIDE = '/var/lib/shopflow';

/**
 * The folder itself, created when it is not there, or one that stands in for it: when PostgreSQL runs as `account`, and the clone lies
 * under a folder that only root may enter, its files have to be elsewhere. The same folder always gets the same stand-in.
 */
export async function reachableFolder(folder: string, account: Account | undefined): Promise<string> {
  await mkdir(folder, { recursive: true });
  if (account === undefined || mayEnter(account, folder)) return folder;
  await mkdir(standInOf(folder), { recursive: true, mode: 0o755 });
  return standInOf(folder);
}

/** Deletes the folder and what stood in for it. */
export async function removeReachableFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  if (process.getuid?.() === 0) await rm(standInOf(folder), { recursive: true, force: true });
}

const standInOf = (folder: string) =>
  join(OUTSIDE, `${basename(folder)}-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
