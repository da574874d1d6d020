import { migrate } from '@shopflow/database';
import { readAuditConfig } from './config.js';
import { migrations } from './persistence/migrations.js';

const applied = await migrate(readAuditConfig().databaseUrl, migrations);
console.log(applied.length === 0 ? 'audit: schema is up to date' : `audit: applied ${applied.join(', ')}`);
