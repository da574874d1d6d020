import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EventContract } from '../contract.js';
import { listFixtures } from '../fixtures.js';
import { fingerprint, schemaFingerprint } from './fingerprint.js';

/** What has been released, as fingerprints. Entries are added and never change: consumers and stored events rely on them. */
export interface Lock {
  /** By topic name. */
  readonly topics: Readonly<Record<string, LockedTopic>>;
  /** By event type. */
  readonly events: Readonly<Record<string, LockedEvent>>;
}

export interface LockedTopic {
  readonly owner: string;
  /** Another number moves keys to other partitions, and events of one key overtake each other. */
  readonly partitions: number;
}

export interface LockedEvent {
  readonly topic: string;
  readonly key: string;
  /** By version number. */
  readonly versions: Readonly<Record<string, LockedVersion>>;
}

export interface LockedVersion {
  readonly schema: string;
  /** By file name. */
  readonly fixtures: Readonly<Record<string, string>>;
}

export const LOCK_FILE = fileURLToPath(new URL('../../contracts.lock.json', import.meta.url));

/** The lock that today's code would have. */
export function describeContracts(events: readonly EventContract[], sources: string): Lock {
  const topics = events.map(({ topic: { name, owner, partitions } }) => [name, { owner, partitions }]);
  return {
    topics: Object.fromEntries(topics),
    events: Object.fromEntries(events.map((event) => [event.type, describeEvent(event, sources)])),
  };
}

function describeEvent({ type, topic, key, versions }: EventContract, sources: string): LockedEvent {
  const files = listFixtures(type, sources);
  const described = versions.map(({ number, schema }) => {
    const fixtures = files.filter((file) => file.version === number).map(({ file, text }) => [file, fingerprint(text)]);
    return [number, { schema: schemaFingerprint(schema), fixtures: Object.fromEntries(fixtures) }];
  });
  return { topic: topic.name, key, versions: Object.fromEntries(described) };
}

export function readLock(file = LOCK_FILE): Lock {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Lock) : { topics: {}, events: {} };
}

export function writeLock(lock: Lock, file = LOCK_FILE): void {
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
