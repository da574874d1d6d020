import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findJava } from './java.js';

const home = mkdtempSync(join(tmpdir(), 'shopflow-java-'));
afterAll(() => rmSync(home, { recursive: true }));

/** A `java` that says which version it is, as every vendor's does. */
function javaThatSays(version: string): Record<string, string> {
  const bin = join(home, version.replaceAll('"', ''), 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'java'), `#!/bin/sh\necho 'openjdk version ${version} 2021-01-19' >&2\n`);
  chmodSync(join(bin, 'java'), 0o755);
  return { JAVA_HOME: join(bin, '..') };
}

it('takes the Java of JAVA_HOME', () => {
  const env = javaThatSays('"21.0.2"');
  expect(findJava(env)).toBe(join(env['JAVA_HOME'] as string, 'bin', 'java'));
});

it('refuses a Java that is too old, with what to install', () => {
  expect(() => findJava(javaThatSays('"11.0.22"'))).toThrow(/Kafka needs Java 17 or newer and .* is 11: install it .*KAFKA_BROKERS/);
  expect(() => findJava(javaThatSays('"1.8.0_302"'))).toThrow('is 8: install it');
});

it('says what to install when there is no Java', () => {
  expect(() => findJava({ PATH: home })).toThrow(/needs Java 17 or newer and there is none \(java\): install it \(Debian: apt-get install/);
});
