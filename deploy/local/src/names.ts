import { withDatabase } from '@shopflow/servers';

/** `shopflow_orders`: letters, digits and underscores alone, so nobody ever has to quote it. */
export const databaseName = (namespace: string, owner: string): string => plain(`${namespace}_${owner}`);

/** The URL of a service's database on the server that `serverUrl` names. */
export const databaseUrlOf = (serverUrl: string, namespace: string, owner: string): string =>
  withDatabase(serverUrl, databaseName(namespace, owner));

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '_');
