import { runCommandLine } from '@shopflow/command-line';
import { Database } from '@shopflow/database';
import { readDatabaseUrl } from './config.js';
import { runCommand } from './deliveries-command.js';

await runCommandLine('deliveries', async (args) => {
  const database = await new Database({ url: readDatabaseUrl(), applicationName: 'email-deliveries', poolSize: 1 }).connect();
  try {
    return await runCommand(database, args);
  } finally {
    await database.close();
  }
});
