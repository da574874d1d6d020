import { contractPath, EVENTS_PATH, type Fault, fixturePath, LOCK_PATH, TOPICS_PATH, versionPath } from './fault.js';
import type { Lock, LockedEvent, LockedTopic, LockedVersion } from './lock.js';

/** What was released and is no longer as it was, and what is new and not yet in the lock. */
export function compareWithLock(lock: Lock, today: Lock): Fault[] {
  return [
    ...pairs(lock.topics, today.topics).flatMap(([name, locked, now]) => compareTopic(name, locked, now)),
    ...pairs(lock.events, today.events).flatMap(([type, locked, now]) => compareEvent(type, locked, now)),
  ];
}

/** Every name of either record with both values, sorted by name. */
function pairs<T>(locked: Readonly<Record<string, T>>, now: Readonly<Record<string, T>>): [string, T | undefined, T | undefined][] {
  const names = new Set([...Object.keys(locked), ...Object.keys(now)]);
  return [...names].sort().map((name) => [name, locked[name], now[name]]);
}

function compareTopic(name: string, locked: LockedTopic | undefined, now: LockedTopic | undefined): Fault[] {
  if (!locked) return [notLocked(`topic ${name}`)];
  // A topic that no event uses any more comes with an event that was removed or moved; that is where it is reported.
  if (!now) return [];
  return [
    ...wireChange(TOPICS_PATH, `owner of topic ${name}`, locked.owner, now.owner),
    ...wireChange(TOPICS_PATH, `partitions of topic ${name}`, locked.partitions, now.partitions),
  ];
}

function compareEvent(type: string, locked: LockedEvent | undefined, now: LockedEvent | undefined): Fault[] {
  if (!locked) return [notLocked(type)];
  if (!now) {
    const message = `${type} is released and is gone; put it back, stored events of it must stay readable`;
    return [{ path: EVENTS_PATH, rule: 'event-removed', message }];
  }
  return [
    ...wireChange(contractPath(type), `topic of ${type}`, locked.topic, now.topic),
    ...wireChange(contractPath(type), `key of ${type}`, locked.key, now.key),
    ...pairs(locked.versions, now.versions).flatMap(([version, then, today]) => compareVersion(type, version, then, today)),
  ];
}

function compareVersion(type: string, version: string, locked: LockedVersion | undefined, now: LockedVersion | undefined): Fault[] {
  const path = versionPath(type, version);
  const name = `${type} v${version}`;
  if (!locked) return [notLocked(name)];
  if (!now) return [{ path, rule: 'version-removed', message: `${name} is released and is gone; put it back` }];
  const edited: Fault = {
    path,
    rule: 'schema-edited',
    message: `the schema of ${name} is released; restore it, or the shared field that it uses, and add a new version`,
  };
  return [
    ...(locked.schema === now.schema ? [] : [edited]),
    ...pairs(locked.fixtures, now.fixtures).flatMap(([file, then, today]) => compareFixture(type, file, then, today)),
  ];
}

function compareFixture(type: string, file: string, locked: string | undefined, now: string | undefined): Fault[] {
  const path = fixturePath(type, file);
  const remedy = 'restore it; another example goes into a file of its own';
  if (locked === now) return [];
  if (locked === undefined) return [notLocked(`fixture ${path}`)];
  if (now === undefined) return [{ path, rule: 'fixture-removed', message: `it records what was published; ${remedy}` }];
  return [{ path, rule: 'fixture-edited', message: `it records what was published; ${remedy}` }];
}

function wireChange(path: string, what: string, locked: string | number, now: string | number): Fault[] {
  if (locked === now) return [];
  return [{ path, rule: 'wire-changed', message: `the ${what} is released as ${locked}, not ${now}; consumers rely on it, restore it` }];
}

const notLocked = (what: string): Fault => ({
  path: LOCK_PATH,
  rule: 'not-locked',
  message: `${what} is not in the lock; run npm run contracts:lock and commit the file`,
});
