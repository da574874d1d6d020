import { KafkaGroup } from '@shopflow/consumer';
import { serve } from '@shopflow/http';
import { readReminderConfig } from './config.js';
import { ReminderModule } from './reminder.module.js';

await serve({ name: 'reminder', config: () => readReminderConfig(), module: ReminderModule.forRoot, strategy: KafkaGroup });
