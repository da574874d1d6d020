// `npm run relay -- …`: finds the outboxes of the system that serves here, and has the relay's own command do the work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCommandLine } from '@shopflow/command-line';
import { kafkaSettings, readConfig } from '@shopflow/config';
import { shopflowHome } from '@shopflow/servers';
import Type from 'typebox';
import { inherited } from './inherited-environment.js';
import { relayEnvironment } from './operated-relay.js';
import { readRunning, servingNamespaces } from './running-system.js';
import { operateScript } from './services.js';

await runCommandLine('relay', async (args) => {
  const env = args.length === 0 || args.includes('--help') ? inherited() : environment();
  const child = spawn(process.execPath, [operateScript('relay'), ...args], { env, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  process.exitCode = code ?? 1;
  return { lines: [], ok: true };
});

function environment(): Record<string, string> {
  const { shopflowNamespace: namespace } = readConfig(Type.Object({ shopflowNamespace: kafkaSettings.shopflowNamespace }));
  const home = shopflowHome();
  const running = readRunning(join(home, namespace));
  return relayEnvironment({ namespace, running, serving: servingNamespaces(home), env: process.env });
}
