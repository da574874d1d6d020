import { spawnSync } from 'node:child_process';
import { ServersError } from '../servers-error.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Exists on every Unix and owns nothing. */
const NAME = 'nobody';

/**
 * PostgreSQL refuses to run as root. Then it runs as an existing account without rights; no account is created.
 *
 * @returns undefined when we are not root and PostgreSQL can run as we do
 * @throws ServersError when there is no such account
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, NAME], { encoding: 'utf8' }).stdout || NaN);
  const account = { uid: id('-u'), gid: id('-g') };
  if (Number.isNaN(account.uid)) {
    throw new ServersError(`PostgreSQL does not run as root and there is no account ${NAME}: start as another user, or set DATABASE_URL`);
  }
  return account;
}

/** Whether the account may enter the folder: asked of the system, since every folder above it counts too. */
export const mayEnter = (account: Account, folder: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
