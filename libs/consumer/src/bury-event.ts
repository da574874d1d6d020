import type { Transaction } from '@shopflow/database';
import { headerNames, headerText } from '@shopflow/kafka';
import type { BuriedEvent } from './chunk.js';
import type { DeathKind } from './dead-letters/dead-letter.js';
import { openDeadLetter } from './dead-letters/open-dead-letter.js';
import { storableVersion } from './dead-letters/storable.js';
import { type Candidate, labelOf } from './event-item.js';
import type { Failure } from './held/held-event.js';

/** How an event died. */
export interface DeathOfEvent {
  readonly death: DeathKind;
  readonly attempts: number;
  readonly failure: Failure;
  /** See `causeOf`. */
  readonly cause: string;
}

/** Opens the dead letter of an event. */
export async function buryEvent(tx: Transaction, consumer: string, candidate: Candidate, dead: DeathOfEvent): Promise<BuriedEvent> {
  const { record, identity } = candidate;
  const { attempts, failure, cause } = dead;
  const buried = { ...labelOf(candidate), attempts, reason: failure.reason };
  await openDeadLetter(tx, {
    ...buried,
    consumer,
    source: identity.source,
    version: storableVersion(headerText(record.headers, headerNames.version)),
    record,
    errorKind: dead.death,
    cause,
    firstFailedAt: failure.firstFailedAt,
    lastFailedAt: failure.lastFailedAt,
  });
  return buried;
}
