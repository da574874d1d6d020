import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder, ServersError } from '@shopflow/servers';

const POM = fileURLToPath(new URL('../../../deploy/debezium/pom.xml', import.meta.url));

/**
 * The folder with the jars of Kafka Connect and Debezium, fetched by Maven when they are not there yet (40 MB).
 *
 * @throws ServersError when Maven is missing or cannot fetch them
 */
export async function connectJars(onProgress: (message: string) => void): Promise<string> {
  const pom = await readFile(POM);
  // The folder's name changes with what the file asks for.
  const jars = join(cacheFolder(), `debezium-${createHash('sha256').update(pom).digest('hex').slice(0, 12)}`);
  if (existsSync(jars)) return jars;
  onProgress('fetching Kafka Connect and Debezium (40 MB, only the first time)');
  // Into a name of our own first: two first starts at once must not mix, and half a download must not count.
  const arriving = `${jars}.${process.pid}`;
  await mkdir(cacheFolder(), { recursive: true });
  await fetchJars(arriving);
  await rename(arriving, jars).catch(() => rm(arriving, { recursive: true })); // another start was quicker
  return jars;
}

async function fetchJars(folder: string): Promise<void> {
  const goal = ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  await promisify(execFile)('mvn', goal).catch((error: NodeJS.ErrnoException & { stdout?: string }) => {
    if (error.code === 'ENOENT') {
      throw new ServersError('Maven is needed to fetch Debezium and there is none: install it (Debian: apt-get install maven)');
    }
    const reason = /\[ERROR\] (.*)/.exec(error.stdout ?? '')?.[1] ?? error.message;
    throw new ServersError(`Maven could not fetch Debezium: ${reason}`, { cause: error });
  });
}
