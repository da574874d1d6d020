/** `shopflow_orders`: letters, digits and underscores alone, so nobody ever has to quote it. */
export const databaseName = (namespace: string, owner: string): string => plain(`${namespace}_${owner}`);

/** The replication slot that the relay reads an outbox through. PostgreSQL allows it no other characters. */
export const slotName = (namespace: string, source: string): string => plain(`${namespace}_${source}`);

/** The URL of a service's database on the server that `serverUrl` names. */
export function databaseUrlOf(serverUrl: string, namespace: string, owner: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName(namespace, owner)}`;
  return url.toString();
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '_');
