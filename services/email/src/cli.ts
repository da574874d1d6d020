import { Database } from '@shopflow/database';
import { readDatabaseUrl } from './config.js';
import { runCommand } from './deliveries-command.js';

const database = await new Database({ url: readDatabaseUrl(), applicationName: 'email-deliveries', poolSize: 1 }).connect();
try {
  const { lines, ok } = await runCommand(database, process.argv.slice(2));
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.exitCode = ok ? 0 : 1;
} finally {
  await database.close();
}
