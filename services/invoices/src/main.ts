import { KafkaGroup } from '@shopflow/consumer';
import { serve } from '@shopflow/http';
import { readInvoicesConfig } from './config.js';
import { InvoicesModule } from './invoices.module.js';

await serve({ name: 'invoices', config: readInvoicesConfig, module: InvoicesModule.forRoot, strategy: KafkaGroup });
