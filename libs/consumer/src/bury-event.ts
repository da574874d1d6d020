import { ContractError } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import { headerNames, headerText } from '@shopflow/kafka';
import type { BuriedEvent, FailureHistory } from './chunk.js';
import type { DeathKind } from './dead-letters/dead-letter.js';
import { openDeadLetter } from './dead-letters/open-dead-letter.js';
import { versionOf } from './decode-event.js';
import { type Candidate, labelOf } from './event-item.js';
import { reasonOf, UndecodableError } from './failure.js';

/** Opens the dead letter of an event that never heals. */
export async function buryEvent(
  tx: Transaction,
  consumer: string,
  candidate: Candidate,
  failure: { error: unknown; before: FailureHistory | undefined; now: Date },
): Promise<BuriedEvent> {
  const { record, identity } = candidate;
  const buried = { ...labelOf(candidate), attempts: (failure.before?.attempts ?? 0) + 1, reason: reasonOf(failure.error) };
  await openDeadLetter(tx, {
    ...buried,
    consumer,
    source: identity.source,
    version: storableVersion(headerText(record.headers, headerNames.version)),
    record,
    errorKind: deathKindOf(failure.error),
    firstFailedAt: failure.before?.firstFailedAt ?? failure.now,
    lastFailedAt: failure.now,
  });
  return buried;
}

/** PostgreSQL's integer. */
const MAX_VERSION = 2_147_483_647;

function storableVersion(header: string | undefined): number | null {
  const version = versionOf(header);
  return version <= MAX_VERSION ? version : null;
}

function deathKindOf(error: unknown): DeathKind {
  if (error instanceof UndecodableError) return 'undecodable';
  return error instanceof ContractError ? 'contract' : 'permanent';
}
