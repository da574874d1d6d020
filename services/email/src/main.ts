import { KafkaGroup } from '@shopflow/consumer';
import { serve } from '@shopflow/http';
import { readEmailConfig } from './config.js';
import { EmailModule, isWorker } from './email.module.js';

await serve({ name: 'email', config: () => readEmailConfig(), module: EmailModule.forRoot, strategy: KafkaGroup, consumes: isWorker });
