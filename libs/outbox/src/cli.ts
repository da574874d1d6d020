// `npm run -s outbox -- status`: the outbox of the database that DATABASE_URL names.
import { runCommandLine } from '@shopflow/command-line';
import { databaseSettings, readConfig } from '@shopflow/config';
import { Database } from '@shopflow/database';
import Type from 'typebox';
import { runOutboxCommand } from './outbox-command.js';

await runCommandLine('outbox', async (args) => {
  const { databaseUrl } = readConfig(Type.Object(databaseSettings));
  const database = await new Database({ url: databaseUrl, applicationName: 'outbox-command', poolSize: 1 }).connect();
  try {
    return await runOutboxCommand(database, args);
  } finally {
    await database.close();
  }
});
