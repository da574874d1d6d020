/**
 * What the relay measures. Each with the attribute `source`, and with underscores for dots in Prometheus; counters end in `_total`
 * there. The unit is the last word where the value is no count.
 */
export const metricNames = {
  /** Age of the oldest event that is not published yet; 0 when none waits. */
  oldestUnpublishedAge: 'shopflow.relay.oldest_unpublished_age.seconds',
  /** Events and replays that are not published yet. */
  backlog: 'shopflow.relay.backlog.events',
  /** Log that the server keeps for the slot: what fills its disk. */
  slotKept: 'shopflow.relay.slot_kept.bytes',
  /** Log that is not acknowledged yet. */
  slotLag: 'shopflow.relay.slot_lag.bytes',
  /** How much more may be written before the slot is lost; missing without a limit. */
  slotSafe: 'shopflow.relay.slot_safe.bytes',
  setAsideKeys: 'shopflow.relay.set_aside.keys',
  setAsideEvents: 'shopflow.relay.set_aside.events',
  /** 1 for the state that the source is in, 0 for every other; attribute `state`. */
  state: 'shopflow.relay.state',
  /** 1 when the source's database answers. */
  databaseUp: 'shopflow.relay.database_up',
  /** Events that Kafka accepted from this process, replays included. */
  published: 'shopflow.relay.published.events',
  /** Sends that Kafka accepted. */
  batches: 'shopflow.relay.batches',
  /** Events in one send. */
  batchSize: 'shopflow.relay.batch_size.events',
  /** From the send to Kafka's acknowledgement, tries that failed before included. */
  sendDuration: 'shopflow.relay.send_duration.seconds',
  /** Rows that retention has deleted. */
  deleted: 'shopflow.relay.retention_deleted.rows',
} as const;
