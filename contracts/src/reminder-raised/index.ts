import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { reminderRaisedV1 } from './v1.js';

export const reminderRaised = defineEvent({
  type: 'reminder.raised',
  topic: topics.reminders,
  summary: 'An invoice is overdue, and its customer is to be reminded; at most once a day.',
  versions: [reminderRaisedV1],
});
