import { databaseSettings, readConfig } from '@shopflow/config';
import { migrate, type Migration } from '@shopflow/database';
import { createLogger } from '@shopflow/telemetry';
import Type from 'typebox';
import { failStart } from './fail-start.js';

/**
 * Brings the schema of `DATABASE_URL` up to date: the whole of a `migrate.ts`. Says in one log line what it applied;
 * exit code 1 with one line on standard error when it cannot.
 */
export async function runMigrations(service: string, migrations: readonly Migration[]): Promise<void> {
  const logger = createLogger(`${service}-migrate`);
  try {
    const { databaseUrl } = readConfig(Type.Object(databaseSettings));
    const applied = await migrate(databaseUrl, migrations);
    logger.info({ applied }, applied.length === 0 ? 'the schema is up to date' : `applied ${applied.length} migrations`);
  } catch (error) {
    failStart(error, `the migrations of ${service}`, logger);
  }
}
