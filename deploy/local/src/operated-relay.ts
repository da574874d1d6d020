import { UsageError } from '@shopflow/command-line';
import { inherited } from './inherited-environment.js';
import type { Whereabouts } from './operated-groups.js';
import { relaySources } from './services.js';

/** The environment of the relay's own commands: what is given wins over what runs here. @throws UsageError when neither says where to look */
export function relayEnvironment({ namespace, running, serving, env }: Whereabouts): Record<string, string> {
  const sources = env['RELAY_SOURCES'] || (running && relaySources(running.databaseUrl, namespace));
  const urls = env['RELAY_URLS'] || running?.relayUrl;
  if (!sources) throw new UsageError(nowhere(namespace, serving));
  return { ...inherited(env), RELAY_SOURCES: sources, SHOPFLOW_NAMESPACE: namespace, ...(urls && { RELAY_URLS: urls }) };
}

const nowhere = (namespace: string, serving: readonly string[]) =>
  `ShopFlow does not run here in namespace ${namespace} ` +
  `(${serving.length === 0 ? 'nor in any other' : `but in ${serving.join(', ')}: SHOPFLOW_NAMESPACE chooses`}): ` +
  'run npm start, or set RELAY_SOURCES as the relay has it';
