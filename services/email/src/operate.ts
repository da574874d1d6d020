import { readOperatingConfig } from '@shopflow/config';
import { operate } from '@shopflow/consumer/operate';
import { topics } from '@shopflow/contracts';
import { replayDeliveryLetter } from './ledger/replay-delivery-letter.js';

await operate({
  group: 'email',
  config: readOperatingConfig,
  topics: [topics.orders, topics.invoices, topics.reminders],
  rebuild: { refused: 'it sends e-mails, and what was sent cannot be unsent' },
  subjects: { delivery: { replay: replayDeliveryLetter } },
});
