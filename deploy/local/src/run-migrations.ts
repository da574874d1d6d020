import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ServersError } from '@shopflow/servers';
import { inherited } from './inherited-environment.js';
import { databaseOwners, type EnvironmentContext, migrateScript, settingsOf } from './services.js';

/** Brings each service's schema up to date, by the service's own command. @throws ServersError with what the command said */
export async function runMigrations(context: EnvironmentContext, signal?: AbortSignal): Promise<void> {
  await Promise.all(
    databaseOwners.map(async (owner) => {
      const options = { env: { ...inherited(), ...settingsOf(owner, context) }, ...(signal ? { signal } : {}) };
      await promisify(execFile)(process.execPath, [migrateScript(owner)], options).catch((cause: Error & { stderr?: string }) => {
        signal?.throwIfAborted();
        throw new ServersError(`the migrations of ${owner} failed: ${cause.stderr?.trim() || cause.message}`, { cause });
      });
    }),
  );
}
