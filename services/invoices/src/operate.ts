import { readOperatingConfig } from '@shopflow/config';
import { operate } from '@shopflow/consumer/operate';
import { topics } from '@shopflow/contracts';

await operate({
  group: 'invoices',
  config: readOperatingConfig,
  topics: [topics.orders, topics.emails],
  rebuild: { refused: 'its invoices are no projection: numbers, payments and imports are in no event' },
});
