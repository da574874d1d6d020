import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { emailFailedV1 } from './v1.js';
import { emailFailedV2, fromV1 } from './v2.js';

export const emailFailed = defineEvent({
  type: 'email.failed',
  topic: topics.emails,
  summary: 'An e-mail was given up; it is dead until somebody replays it.',
  versions: [emailFailedV1, emailFailedV2],
  upcasters: [fromV1],
});
