import { Database } from '@shopflow/database';
import { readDatabaseUrl } from './config.js';
import { type CommandResult, runCommand } from './deliveries-command.js';

async function run(args: readonly string[]): Promise<CommandResult> {
  const database = await new Database({ url: readDatabaseUrl(), applicationName: 'email-deliveries', poolSize: 1 }).connect();
  try {
    return await runCommand(database, args);
  } finally {
    await database.close();
  }
}

try {
  const { lines, ok } = await run(process.argv.slice(2));
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`deliveries: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
