import { type CrossRule, setting } from '@shopflow/config';
import { REPLAY_LIMIT_DAYS } from '@shopflow/outbox';

/** Settings of the relay that say how long its sources keep what is published. */
export const retentionSettings = {
  outboxRetentionDays: setting.count({
    default: 35,
    meaning: `days that a published event stays in its outbox; longer than the ${REPLAY_LIMIT_DAYS} days in which it can be published again`,
  }),
};

/** Whoever may still ask for an event again has to find it. */
export const longerThanReplays: CrossRule<{ outboxRetentionDays: number }> = ({ outboxRetentionDays }) =>
  outboxRetentionDays > REPLAY_LIMIT_DAYS
    ? undefined
    : `OUTBOX_RETENTION_DAYS is ${outboxRetentionDays}; wanted: at least ${REPLAY_LIMIT_DAYS + 1}, as events can be published again for ${REPLAY_LIMIT_DAYS} days`;
