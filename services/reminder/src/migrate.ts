import { runMigrations } from '@shopflow/http';
import { migrations } from './persistence/migrations.js';

await runMigrations('reminder', migrations);
