import { ConfigError, kafkaSettings, readConfig, serviceSettings, setting } from '@shopflow/config';
import Type, { type Static } from 'typebox';
import { readSources, type SourceConfig } from './read-sources.js';

const MEANING =
  'the outboxes to publish: [{"name":"orders","databaseUrl":"postgres://…"}, …], the name is the service that owns the events';

const schema = Type.Object({
  ...serviceSettings({ port: 3005 }),
  ...kafkaSettings,
  relaySources: setting.text({ meaning: MEANING }),
});

export type RelayConfig = Static<typeof schema> & { readonly sources: readonly SourceConfig[] };

/** @throws ConfigError naming every fault */
export function readRelayConfig(env: Readonly<Record<string, string | undefined>> = process.env): RelayConfig {
  const config = readConfig(schema, env);
  const { sources, faults } = readSources(config.relaySources);
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `RELAY_SOURCES ${fault}`));
  return { ...config, sources };
}
