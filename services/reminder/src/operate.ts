import { readOperatingConfig } from '@shopflow/config';
import { operate } from '@shopflow/consumer/operate';
import { topics } from '@shopflow/contracts';

await operate({
  group: 'reminder',
  config: readOperatingConfig,
  topics: [topics.invoices],
  // Read anew, an invoice would be known only if it was issued within the days that its topic keeps, and until its payment is read
  // again a paid one would be reminded.
  rebuild: { refused: 'it knows invoices for longer than their topic keeps events; rebuilt, it would forget most that are overdue' },
});
