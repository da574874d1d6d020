import { ConfigError, setting } from '@shopflow/config';
import { readSources, type SourceConfig } from './read-sources.js';

/** `RELAY_SOURCES`, for the relay itself and for its commands. */
export const sourcesSetting = setting.text({
  meaning: 'the outboxes to publish: [{"name":"orders","databaseUrl":"postgres://…"}, …], the name is the service that owns the events',
});

/** @throws ConfigError naming every fault of the list */
export function sourcesOf(text: string): readonly SourceConfig[] {
  const { sources, faults } = readSources(text);
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `RELAY_SOURCES ${fault}`));
  return sources;
}
