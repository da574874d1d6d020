import { KafkaGroup } from '@shopflow/consumer';
import { serve } from '@shopflow/http';
import { AnalyticsModule } from './analytics.module.js';
import { readAnalyticsConfig } from './config.js';

await serve({ name: 'analytics', config: readAnalyticsConfig, module: AnalyticsModule.forRoot, strategy: KafkaGroup });
