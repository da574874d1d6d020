import { migrate } from '@shopflow/database';
import { readDatabaseUrl } from './config.js';
import { migrations } from './persistence/migrations.js';

const applied = await migrate(readDatabaseUrl(), migrations);
process.stdout.write(applied.length === 0 ? 'email: schema is up to date\n' : `email: applied ${applied.join(', ')}\n`);
