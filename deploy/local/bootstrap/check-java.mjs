import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { inRepository } from './paths.mjs';

// libs/servers checks this too, but it is not built yet, and nobody should wait for an installation to learn that Java is missing.

/** These start no servers. */
const START_NOTHING = ['dlq', 'groups', 'relay', 'token'];

/** Kafka is started here unless one is given; unit tests need none. */
export function needsJava(command, args) {
  const unitTestsOnly = command === 'test' && /--project[ =]unit\b/.test(args.join(' '));
  return !process.env.KAFKA_BROKERS && !unitTestsOnly && !START_NOTHING.includes(command);
}

const OTHERWISE = 'or set KAFKA_BROKERS to a Kafka that runs already';

export function checkJava() {
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';
  const { error, stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  const [, version] = /version "(?:1\.)?(\d+)/.exec(stderr || '') || [];
  if (error || Number(version) < 17) {
    const found = error ? 'there is none' : `${java} is ${version}`;
    throw new BootstrapError(
      `Kafka needs Java 17 or newer and ${found}: install it (Debian: apt-get install openjdk-17-jre-headless), ${OTHERWISE}`,
    );
  }
  if (!kafkaIsHere() && spawnSync('mvn', ['--version']).error) {
    throw new BootstrapError(`Maven is needed to fetch Kafka and there is none: install it (Debian: apt-get install maven), ${OTHERWISE}`);
  }
}

function kafkaIsHere() {
  const cache = join(process.env.SHOPFLOW_HOME || inRepository('.shopflow'), 'cache');
  return existsSync(cache) && readdirSync(cache).some((name) => /^kafka-[\d.]+$/.test(name));
}
