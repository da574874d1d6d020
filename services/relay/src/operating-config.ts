import { kafkaSettings, readConfig, setting } from '@shopflow/config';
import Type from 'typebox';
import type { SourceConfig } from './read-sources.js';
import { sourcesOf, sourcesSetting } from './sources-setting.js';

const schema = Type.Object({
  relaySources: sourcesSetting,
  shopflowNamespace: kafkaSettings.shopflowNamespace,
  relayUrls: setting.text({
    default: 'http://127.0.0.1:3005',
    meaning: 'where the instances of the relay listen, separated by commas',
  }),
});

/** What a person's commands need of the relay's settings: databases alone, no Kafka. */
export interface OperatingConfig {
  readonly namespace: string;
  readonly sources: readonly SourceConfig[];
  /** `http://host:port` of each instance. */
  readonly relayUrls: readonly string[];
}

/** @throws ConfigError naming every fault */
export function readOperatingConfig(env?: Readonly<Record<string, string | undefined>>): OperatingConfig {
  const config = readConfig(schema, env);
  return { namespace: config.shopflowNamespace, sources: sourcesOf(config.relaySources), relayUrls: urlsIn(config.relayUrls) };
}

/** A list of URLs as people type it. */
export const urlsIn = (text: string): string[] =>
  text
    .split(',')
    .map((url) => url.trim().replace(/\/+$/, ''))
    .filter((url) => url !== '');
