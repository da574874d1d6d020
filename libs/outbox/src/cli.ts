// `npm run -s outbox -- status`: the outbox of the database that DATABASE_URL names.
import { databaseSettings, readConfig } from '@shopflow/config';
import { Database } from '@shopflow/database';
import Type from 'typebox';
import { type CommandResult, runOutboxCommand } from './outbox-command.js';

async function run(args: readonly string[]): Promise<CommandResult> {
  const { databaseUrl } = readConfig(Type.Object(databaseSettings));
  const database = await new Database({ url: databaseUrl, applicationName: 'outbox-command', poolSize: 1 }).connect();
  try {
    return await runOutboxCommand(database, args);
  } finally {
    await database.close();
  }
}

try {
  const { lines, ok } = await run(process.argv.slice(2));
  for (const line of lines) (ok ? process.stdout : process.stderr).write(`${line}\n`);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`outbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
