import { folderOf } from '../fixtures.js';

/** Something about the contracts that must not be merged. */
export interface Fault {
  /** The file to look at, from the root of the repository. */
  readonly path: string;
  readonly rule: Rule;
  /** What is wrong and what to do. */
  readonly message: string;
}

export type Rule =
  | 'event-not-registered'
  | 'upcaster-missing'
  | 'fixture-missing'
  | 'fixture-misnamed'
  | 'fixture-unreadable'
  | 'not-locked'
  | 'event-removed'
  | 'version-removed'
  | 'schema-edited'
  | 'fixture-edited'
  | 'fixture-removed'
  | 'wire-changed';

export const LOCK_PATH = 'contracts/contracts.lock.json';
export const TOPICS_PATH = 'contracts/src/topics.ts';
export const EVENTS_PATH = 'contracts/src/events.ts';
export const folderPath = (type: string) => `contracts/src/${folderOf(type)}`;
export const contractPath = (type: string) => `${folderPath(type)}/index.ts`;
export const versionPath = (type: string, version: string | number) => `${folderPath(type)}/v${version}.ts`;
export const fixturePath = (type: string, file: string) => `${folderPath(type)}/fixtures/${file}`;
