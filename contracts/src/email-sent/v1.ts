import Type from 'typebox';
import { Attempts, deliveryFields } from '../delivery-fields.js';
import { text } from '../fields.js';
import { version } from '../version.js';

export const emailSentV1 = version(
  1,
  Type.Object({
    ...deliveryFields,
    providerId: text('Id that the mail provider gave the accepted e-mail.', 200),
    attempts: Attempts,
  }),
  'First release.',
);
