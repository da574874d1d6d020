import { KafkaGroup } from '@shopflow/consumer';
import { serve } from '@shopflow/http';
import { AuditModule } from './audit.module.js';
import { readAuditConfig } from './config.js';

await serve({ name: 'audit', config: readAuditConfig, module: AuditModule.forRoot, strategy: KafkaGroup });
