import { migrate } from '@shopflow/database';
import { readAnalyticsConfig } from './config.js';
import { migrations } from './persistence/migrations.js';

const applied = await migrate(readAnalyticsConfig().databaseUrl, migrations);
console.log(applied.length === 0 ? 'analytics: schema is up to date' : `analytics: applied ${applied.join(', ')}`);
