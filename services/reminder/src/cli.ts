import { runCommandLine } from '@shopflow/command-line';
import { Database } from '@shopflow/database';
import { readDatabaseUrl } from './config.js';
import { runCommand } from './reminders-command.js';

await runCommandLine('reminders', async (args) => {
  const database = await new Database({ url: readDatabaseUrl(), applicationName: 'reminder-command', poolSize: 1 }).connect();
  try {
    return await runCommand(database, args);
  } finally {
    await database.close();
  }
});
