import Type from 'typebox';
import { Attempts, deliveryFields } from '../delivery-fields.js';
import { text } from '../fields.js';
import { version } from '../version.js';

export const emailFailedV1 = version(
  1,
  Type.Object({
    ...deliveryFields,
    reason: text('Why it was given up, in words that a person can act on.', 2000),
    attempts: Attempts,
  }),
  'First release.',
);
