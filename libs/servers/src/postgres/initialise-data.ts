import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ServersError } from '../servers-error.js';
import type { Account } from './unprivileged-account.js';

export const SUPERUSER = 'postgres';
/** No secret: the server listens on the loopback interface alone and holds what a developer played with. */
export const PASSWORD = 'postgres';

/** Creates an empty cluster unless there is one. Half a cluster, of a start that was interrupted, does not count. */
export async function initialiseData(options: { dataDir: string; binaries: string; account: Account | undefined }): Promise<void> {
  const { dataDir, binaries, account } = options;
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.new`;
  const passwordFile = join(dirname(dataDir), 'password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, PASSWORD, { mode: 0o600 });
  if (account) for (const path of [unfinished, passwordFile]) await chown(path, account.uid, account.gid);
  await initdb(join(binaries, 'bin', 'initdb'), unfinished, passwordFile, account);
  await rm(passwordFile);
  await rename(unfinished, dataDir);
}

async function initdb(command: string, dataDir: string, passwordFile: string, account: Account | undefined): Promise<void> {
  // The built-in locale is the same on every system: no test depends on what a machine has installed.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const options = { ...account, cwd: dirname(dataDir), env: { LANG: 'C', LC_ALL: 'C' } };
  await promisify(execFile)(command, ['-D', dataDir, ...access, ...locale], options).catch((cause: Error & { stderr?: string }) => {
    const reason = (cause.stderr ?? cause.message).trim().split('\n').join(' | ');
    throw new ServersError(`PostgreSQL's initdb failed: ${reason}`, { cause });
  });
}
