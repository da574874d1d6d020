import type { Terminal } from '@shopflow/command-line';
import type { EventContract, Topic } from '@shopflow/contracts';
import type { Database } from '@shopflow/database';
import type { DeadLetter } from '../dead-letters/dead-letter.js';

/** What operators' commands must know of a service that consumes. */
export interface OperatedGroup {
  readonly group: string;
  /** Where its database and Kafka are; read when a command runs. */
  readonly config: () => { readonly databaseUrl: string; readonly kafkaBrokers: string; readonly shopflowNamespace: string };
  /** Topics that it subscribes to; those that it has read before are known without this. */
  readonly topics: readonly Topic[];
  /** Its projections, which can be made again from the events; or why they cannot. */
  readonly rebuild: { readonly tables: readonly string[] } | { readonly refused: string };
  /** What dies besides whole events, by the `subject` of its letters. */
  readonly subjects?: Readonly<Record<string, LetterSubject>>;
  /** Those whose payloads an edit is checked against; every contract unless given. */
  readonly contracts?: readonly EventContract[];
}

/** Who decides what about a letter or a group, and why. */
export interface Asker {
  readonly who: string;
  readonly why: string;
  readonly now: Date;
}

/** A part of a service's work that can die by itself. */
export interface LetterSubject {
  /** Does the work again, closing the letter in the same transaction. @returns false, or undefined, when there is nothing to do again */
  replay(database: Database, letter: DeadLetter, asker: Asker): Promise<boolean | undefined>;
}

/** What a command works with. */
export interface OperatingContext {
  readonly service: OperatedGroup;
  readonly database: Database;
  readonly kafka: { readonly brokers: string; readonly namespace: string };
  readonly terminal: Terminal;
  readonly clock: () => Date;
}
