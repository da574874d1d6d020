/** A Kafka and a PostgreSQL that can be used now. */
export interface Servers {
  readonly kind: 'given' | 'embedded';
  /** host:port list. */
  readonly kafkaBrokers: string;
  /** URL of the maintenance database, with the right to create databases. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export interface ServersOptions {
  readonly dir: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (message: string) => void;
}

export async function startServers({ env = process.env }: ServersOptions): Promise<Servers> {
  const { KAFKA_BROKERS: kafkaBrokers, DATABASE_URL: databaseUrl } = env;
  if (!kafkaBrokers || !databaseUrl) throw new Error('set KAFKA_BROKERS and DATABASE_URL: embedded servers come with the next commit');
  return { kind: 'given', kafkaBrokers, databaseUrl, stop: async () => {} };
}
