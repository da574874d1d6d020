import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const PROPERTIES = fileURLToPath(new URL('../../../deploy/debezium/connector.properties', import.meta.url));

/** The connector of `deploy/debezium`, as it is delivered. Its placeholders are filled by {@link connectorEnvironment}. */
export async function outboxConnector(): Promise<Record<string, string>> {
  const lines = (await readFile(PROPERTIES, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

export interface OutboxPlace {
  readonly databaseUrl: string;
  readonly namespace: string;
  /** The service that owns the outbox: `orders`. */
  readonly source: string;
  readonly slot: string;
}

/** What the worker needs in its environment to publish this outbox. */
export function connectorEnvironment({ databaseUrl, namespace, source, slot }: OutboxPlace): Record<string, string> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  return {
    SHOPFLOW_NAMESPACE: namespace,
    OUTBOX_SOURCE: source,
    OUTBOX_SLOT: slot,
    OUTBOX_DATABASE_HOST: hostname,
    OUTBOX_DATABASE_PORT: port || '5432',
    OUTBOX_DATABASE_NAME: decodeURIComponent(pathname.slice(1)),
    OUTBOX_DATABASE_USER: decodeURIComponent(username),
    OUTBOX_DATABASE_PASSWORD: decodeURIComponent(password),
  };
}
