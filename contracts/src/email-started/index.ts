import { defineEvent } from '../contract.js';
import { topics } from '../topics.js';
import { emailStartedV1 } from './v1.js';
import { emailStartedV2, fromV1 } from './v2.js';

export const emailStarted = defineEvent({
  type: 'email.started',
  topic: topics.emails,
  summary: 'The first attempt to send an e-mail began.',
  versions: [emailStartedV1, emailStartedV2],
  upcasters: [fromV1],
});
