import { migrate } from '@shopflow/database';
import { readOrdersConfig } from './config.js';
import { migrations } from './persistence/migrations.js';

const applied = await migrate(readOrdersConfig().databaseUrl, migrations);
console.log(applied.length === 0 ? 'orders: schema is up to date' : `orders: applied ${applied.join(', ')}`);
