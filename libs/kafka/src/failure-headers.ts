// What a consumer group adds to a record that it could not handle. Single-valued: a second failure replaces the first one's headers.

/** Ours. `topic` is the logical name; times are ISO 8601 in UTC. */
export const failureHeaderNames = {
  topic: 'shopflow-original-topic',
  partition: 'shopflow-original-partition',
  offset: 'shopflow-original-offset',
  timestamp: 'shopflow-original-timestamp',
  group: 'shopflow-group',
  attempts: 'shopflow-attempts',
  firstFailure: 'shopflow-first-failure',
  lastFailure: 'shopflow-last-failure',
  errorKind: 'shopflow-error-kind',
  message: 'shopflow-error-message',
} as const;

/** Ours, of a record that is to be tried again. */
export const retryHeaderNames = {
  /** ISO 8601 in UTC, to the millisecond. */
  due: 'shopflow-due',
  /** The bytes under which the event waits in held_keys. */
  heldKey: 'shopflow-held-key',
} as const;

/** Room for all of them: a topic that takes such records takes ones this much larger, in bytes, than their sources do. */
export const FAILURE_HEADERS_BYTES = 16_384;

/** Kafka's own (KIP-1191), so that other tools can read our dead letters. `topic` is the name on the broker. */
export const kafkaDlqHeaderNames = {
  topic: '__dlq.errors.topic',
  partition: '__dlq.errors.partition',
  offset: '__dlq.errors.offset',
  group: '__dlq.errors.group',
  deliveryCount: '__dlq.errors.delivery.count',
  message: '__dlq.errors.message',
} as const;
