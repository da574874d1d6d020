import { readOperatingConfig } from '@shopflow/config';
import { operate } from '@shopflow/consumer/operate';
import { topics } from '@shopflow/contracts';

await operate({
  group: 'analytics',
  config: readOperatingConfig,
  topics: [topics.orders],
  rebuild: { tables: ['revenue', 'counted_orders'] },
});
