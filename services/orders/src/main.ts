import { serve } from '@shopflow/http';
import { readOrdersConfig } from './config.js';
import { OrdersModule } from './orders.module.js';

await serve({ name: 'orders', config: readOrdersConfig, module: OrdersModule.forRoot });
