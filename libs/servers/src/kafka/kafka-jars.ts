import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ServersError } from '../servers-error.js';

const POM = fileURLToPath(new URL('../../kafka/pom.xml', import.meta.url));

/**
 * The folder with Kafka's jars, fetched by Maven when they are not there yet (54 MB).
 *
 * @throws ServersError when Maven is missing or cannot fetch them
 */
export async function kafkaJars(cache: string, onProgress: (message: string) => void): Promise<string> {
  const version = /<version>([^<]+)</.exec(await readFile(POM, 'utf8'))?.[1];
  const jars = join(cache, `kafka-${version}`);
  if (existsSync(jars)) return jars;
  onProgress(`fetching Kafka ${version} (54 MB, only the first time)`);
  // Into a name of our own first: two first starts at once must not mix, and half a download must not count.
  const arriving = `${jars}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  await fetchJars(arriving);
  await rename(arriving, jars).catch(() => rm(arriving, { recursive: true })); // another start was quicker
  return jars;
}

async function fetchJars(folder: string): Promise<void> {
  const goal = ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  await promisify(execFile)('mvn', goal).catch((error: NodeJS.ErrnoException & { stdout?: string }) => {
    if (error.code === 'ENOENT') {
      throw new ServersError(
        'Maven is needed to fetch Kafka and there is none: install it (Debian: apt-get install maven), or set KAFKA_BROKERS to a Kafka that runs already',
      );
    }
    const reason = /\[ERROR\] (.*)/.exec(error.stdout ?? '')?.[1] ?? error.message;
    throw new ServersError(`Maven could not fetch Kafka: ${reason}`, { cause: error });
  });
}
