import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ServersError } from '../servers-error.js';

const WANTED = 17;
const REMEDY = 'install it (Debian: apt-get install openjdk-17-jre-headless), or set KAFKA_BROKERS to a Kafka that runs already';

/** The command that runs Java. @throws ServersError when there is none, or one that is too old for Kafka */
export function findJava(env: Readonly<Record<string, string | undefined>>): string {
  const java = env['JAVA_HOME'] ? join(env['JAVA_HOME'], 'bin', 'java') : 'java';
  const { error, stderr } = spawnSync(java, ['-version'], { encoding: 'utf8', env: { ...env } });
  if (error) throw new ServersError(`Kafka needs Java ${WANTED} or newer and there is none (${java}): ${REMEDY}`);
  const found = /version "(?:1\.)?(\d+)/.exec(stderr)?.[1];
  if (found === undefined || Number(found) < WANTED) {
    throw new ServersError(`Kafka needs Java ${WANTED} or newer and ${java} is ${found ?? 'of unknown version'}: ${REMEDY}`);
  }
  return java;
}
