export type { BreakerStatus } from './breaker/breaker-status.js';
export { causeOf } from './cause-of.js';
export { ConsumerModule } from './consumer.module.js';
export { closeDeadLetter, type DeadLetterDecision } from './dead-letters/close-dead-letter.js';
export type { DeadLetter, DeadLetterKey, DeadLetterState, Death, DeathKind } from './dead-letters/dead-letter.js';
export { type DeadLetterFilter, listDeadLetters } from './dead-letters/list-dead-letters.js';
export { decodeHeaders, encodeHeaders } from './dead-letters/encode-headers.js';
export { openDeadLetter } from './dead-letters/open-dead-letter.js';
export { BatchContext, EventContext } from './event-context.js';
export {
  classifyFailure,
  CrashedError,
  type FailureKind,
  HandlerTimeoutError,
  PermanentError,
  RetryableError,
  type RetryableErrorOptions,
  UndecodableError,
} from './failure.js';
export type { GroupCounts } from './group-stats.js';
export { discardDeadLetter, ForeignLetterError, type ReplayDecision, replayDeadLetter } from './held/replay-dead-letter.js';
export { type GroupStatus, KafkaGroup } from './kafka-group.js';
export { consumerMigrations } from './migrations.js';
export type { ConsumerOptions } from './options.js';
export type { PartitionStatus } from './worker-parts.js';
export { type BatchHandler, type EventHandler, Subscribe, SubscribeBatch, type SubscriptionOptions } from './subscribe.js';
export { SubscriptionError } from './subscriptions.js';
