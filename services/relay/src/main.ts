import { serve } from '@shopflow/http';
import { readRelayConfig } from './config.js';
import { RelayModule } from './relay.module.js';

await serve({ name: 'relay', config: readRelayConfig, module: RelayModule.forRoot });
