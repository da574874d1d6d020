/**
 * - `outage`: the brokers are away, changing leaders or overloaded. Nothing is wrong with the records: wait and send the same again.
 * - `refused`: the broker refuses these records for what they are (too large, not allowed by the topic). The same again is refused again.
 * - `other`: a person has to act first (a missing topic or right, a wrong call). The records are not at fault.
 */
export type KafkaErrorKind = 'outage' | 'refused' | 'other';

// INVALID_TIMESTAMP is none of them: it tells of a clock, ours or the broker's, and every record would be refused.
const REFUSED = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'POLICY_VIOLATION',
]);

const OUTAGE = new Set([
  'CORRUPT_MESSAGE', // damaged on its way; the Java client sends it again too
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_OR_FOLLOWER',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'REPLICA_NOT_AVAILABLE',
  'BROKER_NOT_AVAILABLE',
  'REQUEST_TIMED_OUT',
  'NETWORK_EXCEPTION',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'KAFKA_STORAGE_ERROR',
  'NOT_CONTROLLER',
  'THROTTLING_QUOTA_EXCEEDED',
  'UNKNOWN_SERVER_ERROR',
  'COORDINATOR_LOAD_IN_PROGRESS',
  'COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR',
  // The broker has lost an idempotent producer, or the producer its place: with a new identity the same goes through.
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
  'PRODUCER_FENCED',
]);

/** Records that were not, or not all, accepted. What Kafka accepted of them is not known: send all of them again, before anything else of their keys. */
export class KafkaSendError extends Error {
  constructor(
    readonly kind: KafkaErrorKind,
    topics: readonly string[],
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`sending to ${topics.join(', ')} failed: ${reason}`, options);
    this.name = 'KafkaSendError';
  }
}

/** Total: what is not from Kafka is `other`. Of several errors an outage decides first, and `refused` only when all are. */
export function classifyKafkaError(error: unknown): KafkaErrorKind {
  if (error instanceof KafkaSendError) return error.kind;
  const kinds = new Set(leaves(error).map(kindOf));
  if (kinds.has('outage')) return 'outage';
  return kinds.has('other') ? 'other' : 'refused';
}

/** What the broker or the network said, each reason once. */
export function kafkaErrorReason(error: unknown): string {
  return [...new Set(leaves(error).map(textOf))].join('; ');
}

type ClientError = Error & { code?: unknown; apiId?: unknown; errors?: unknown; serverErrorMessage?: unknown };

/** The client nests what happened to each broker and partition; only the innermost errors say anything. */
function leaves(error: unknown): unknown[] {
  const { errors } = (error ?? {}) as ClientError;
  return Array.isArray(errors) && errors.length > 0 ? errors.flatMap(leaves) : [error];
}

function kindOf(error: unknown): KafkaErrorKind {
  if (!(error instanceof Error)) return 'other';
  const { apiId, code } = error as ClientError;
  if (typeof apiId === 'string') return REFUSED.has(apiId) ? 'refused' : OUTAGE.has(apiId) ? 'outage' : 'other';
  return code === 'PLT_KFK_NETWORK' || code === 'PLT_KFK_TIMEOUT' ? 'outage' : 'other';
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { apiId, serverErrorMessage, cause, message } = error as ClientError;
  if (typeof apiId === 'string') return `${apiId} (${typeof serverErrorMessage === 'string' ? serverErrorMessage : message})`;
  return cause instanceof Error ? `${message} (${kafkaErrorReason(cause)})` : message;
}
