import { existsSync, readdirSync } from 'node:fs';
import type { EventContract } from '../contract.js';
import { folderOf } from '../fixtures.js';
import { checkEvent } from './check-event.js';
import { compareWithLock } from './compare-with-lock.js';
import { EVENTS_PATH, type Fault } from './fault.js';
import { describeContracts, type Lock } from './lock.js';

/** Everything that is wrong with the contracts, empty when they may be merged. */
export function checkContracts(events: readonly EventContract[], sources: string, lock: Lock): Fault[] {
  return [
    ...unregisteredEvents(events, sources),
    ...events.flatMap((event) => checkEvent(event, sources)),
    ...compareWithLock(lock, describeContracts(events, sources)),
  ];
}

/** Adds what is new to the lock. Refuses, with the faults, while anything else is wrong: a released entry never changes. */
export function extendLock(events: readonly EventContract[], sources: string, lock: Lock): { lock: Lock; faults: Fault[] } {
  const faults = checkContracts(events, sources, lock).filter(({ rule }) => rule !== 'not-locked');
  if (faults.length > 0) return { lock, faults };
  const today = describeContracts(events, sources);
  return { lock: { topics: { ...lock.topics, ...today.topics }, events: today.events }, faults };
}

/** A folder with a v1.ts is an event; one that the manifest lacks would be neither checked nor consumed. */
function unregisteredEvents(events: readonly EventContract[], sources: string): Fault[] {
  const registered = new Set(events.map(({ type }) => folderOf(type)));
  const folders = readdirSync(sources).filter((name) => existsSync(`${sources}/${name}/v1.ts`));
  return folders
    .filter((folder) => !registered.has(folder))
    .map((folder) => ({
      path: EVENTS_PATH,
      rule: 'event-not-registered',
      message: `contracts/src/${folder} is not in the list of events; add it, or name the folder as the event`,
    }));
}
