import { kafkaSettings, readConfig, serviceSettings } from '@shopflow/config';
import Type, { type Static } from 'typebox';
import type { SourceConfig } from './read-sources.js';
import { longerThanReplays, retentionSettings } from './retention/retention-settings.js';
import { sourcesOf, sourcesSetting } from './sources-setting.js';

const schema = Type.Object({
  ...serviceSettings({ port: 3005 }),
  ...kafkaSettings,
  relaySources: sourcesSetting,
  ...retentionSettings,
});

export type RelayConfig = Static<typeof schema> & { readonly sources: readonly SourceConfig[] };

/** @throws ConfigError naming every fault */
export function readRelayConfig(env: Readonly<Record<string, string | undefined>> = process.env): RelayConfig {
  const config = readConfig(schema, env, [longerThanReplays]);
  return { ...config, sources: sourcesOf(config.relaySources) };
}
