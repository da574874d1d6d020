import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { emailSentV1 } from './v1.js';
import { emailSentV2, fromV1 } from './v2.js';

export const emailSent = defineEvent({
  type: 'email.sent',
  topic: topics.emails,
  summary: 'The mail provider accepted an e-mail.',
  versions: [emailSentV1, emailSentV2],
  upcasters: [fromV1],
});
