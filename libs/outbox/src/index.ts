export { DEDUP_HORIZON_DAYS, REPLAY_LIMIT_DAYS } from '@shopflow/contracts';
export { MAX_ID_BYTES, MAX_PAYLOAD_BYTES } from './check-event.js';
export { EventRefusedError, NoTransactionError } from './event-refused.js';
export { outboxMigrations } from './migrations.js';
export { type AppendedEvent, type AppendOptions, Outbox } from './outbox.js';
export { ReplayRefusedError, type ReplayRequest, requestReplay } from './request-replay.js';
export { slotName } from './slot-name.js';
