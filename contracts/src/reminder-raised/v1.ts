import Type from 'typebox';
import { text } from '../fields.js';
import { day, invoiceFields, invoiceParticulars } from '../invoice-fields.js';
import { version } from '../version.js';

export const reminderRaisedV1 = version(
  1,
  Type.Object({
    reminderId: text('The reminder: `reminder:<invoice>:<day>`. Also the Idempotency-Key at the mail provider.', 200),
    ...invoiceFields,
    ...invoiceParticulars,
    day: day('Day (UTC) for which the reminder was due.'),
  }),
  'First release.',
);
