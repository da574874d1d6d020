import type { Database } from '@shopflow/database';
import { Outbox } from '@shopflow/outbox';
import { RaiseReminders } from './raise-reminders.js';

/** For the service as for the command of an operator. */
export const buildReminders = (database: Database): RaiseReminders => new RaiseReminders(database, new Outbox('reminder'));
