import { readOperatingConfig } from '@shopflow/config';
import { operate } from '@shopflow/consumer/operate';
import { topics } from '@shopflow/contracts';

await operate({
  group: 'audit',
  config: readOperatingConfig,
  topics: [topics.orders, topics.invoices, topics.reminders, topics.emails],
  rebuild: { tables: ['audit_log'] },
});
