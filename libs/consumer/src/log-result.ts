import type { Logger } from '@shopflow/telemetry';
import type { ChunkResult, HeldNotice, WorkResult } from './chunk.js';
import type { EventLabel } from './event-item.js';

/** A transaction with more events than this says so in one line; each event's own line is there at debug level. */
const FEW = 10;
/** From this try on a held event is an error that somebody should look at. */
const LOUD_ATTEMPTS = 3;

/** Where something happened: fields for every line about it. */
export type Place = Readonly<Record<string, string | number>>;

/** Says what a transaction has done, after it has committed. */
export function logResult(logger: Logger, place: Place, result: WorkResult): void {
  logHandled(logger, place, result);
  for (const notice of result.held) logHeld(logger, place, notice);
  for (const { reason, attempts, ...label } of result.buried) {
    logger.error({ ...fieldsOf(label), ...place, attempts, reason }, `${label.type ?? 'a record'} is a dead letter: ${reason}`);
  }
}

/** Says, beside that, what a chunk did not run. */
export function logChunk(logger: Logger, place: Place, result: ChunkResult): void {
  logResult(logger, place, result);
  const { skipped, duplicates, followers } = result;
  if (followers > 0) logger.info({ ...place, followers }, `${followers} events wait behind an earlier one of their key`);
  if (skipped.length > 0) logger.debug({ ...place, types: [...new Set(skipped)] }, `${skipped.length} events of other types skipped`);
  if (duplicates > 0) logger.debug({ ...place, duplicates }, 'duplicates skipped');
}

function logHandled(logger: Logger, place: Place, { handled }: WorkResult): void {
  const level = handled.length <= FEW ? 'info' : 'debug';
  if (level === 'debug') logger.info({ ...place, events: handled.length }, `${handled.length} events handled`);
  if (!logger.isLevelEnabled(level)) return;
  for (const { id, type, subject, correlationId, organizationId } of handled) {
    logger[level]({ ...fieldsOf({ eventId: id, type, orderId: subject, correlationId }), organizationId, ...place }, `${type} handled`);
  }
}

function logHeld(logger: Logger, place: Place, { standing, ...label }: HeldNotice): void {
  const { attempts, dueAt, failure, waitsFor } = standing;
  const newer = waitsFor === 'newer code';
  const level = newer || attempts >= LOUD_ATTEMPTS ? 'error' : 'warn';
  const what = newer ? 'waits for newer code' : `failed, try ${attempts}`;
  const fields = { ...fieldsOf(label), ...place, attempts, dueAt: dueAt.toISOString(), reason: failure?.reason };
  logger[level](fields, `${label.type ?? 'a record'} ${what}; its key is held until ${dueAt.toISOString()}: ${failure?.reason}`);
}

/** Named as the log context names them; what is not known is left out. */
export function fieldsOf({ eventId, type, orderId, correlationId }: EventLabel): Record<string, string | undefined> {
  return { eventId, type: type ?? undefined, orderId: orderId ?? undefined, correlationId: correlationId ?? undefined };
}
