import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { processNames, RELAY_NODE_OPTIONS, startSystem, type System } from '@shopflow/local';
import { freePort, LOOPBACK } from '@shopflow/servers';
import { ProviderWatch } from './provider-watch.js';
import { ShopProcess } from './shop-process.js';

export interface ShopOptions {
  readonly dir: string;
  readonly brokers: string;
  /** URL of a PostgreSQL server. */
  readonly serverUrl: string;
  /** Of the server with email's database, where that is another one. */
  readonly emailServerUrl?: string;
  readonly emails: number;
  /** Hears of every end of a process that nobody asked for. */
  readonly onOddEnd: (text: string) => void;
}

const NAMESPACE = 'drill';
/** Short, so that what a crash leaves behind is taken over within the drill; the rules between them are the service's own. */
const EMAIL_SETTINGS = { MAIL_TIMEOUT_MS: '2000', MAIL_LEASE_MS: '8000', MAIL_RETRY_DELAYS_MS: '1000,3000,8000', MAIL_CONCURRENCY: '5' };

/** What sends invoices: invoices, relay, several instances of email, and the mail provider. */
export class Shop {
  private constructor(
    readonly processes: readonly ShopProcess[],
    readonly urls: { readonly invoices: string; readonly provider: string },
    readonly databases: { readonly invoices: string; readonly email: string },
    readonly provider: ProviderWatch,
  ) {}

  /** Makes databases, schemas and topics, and starts every process. */
  static async open(options: ShopOptions): Promise<Shop> {
    const { dir, brokers, serverUrl, emailServerUrl = serverUrl } = options;
    const main = await prepare(join(dir, 'main'), brokers, serverUrl);
    const other = emailServerUrl === serverUrl ? main : await prepare(join(dir, 'email'), brokers, emailServerUrl);
    const databases = { invoices: main.databases.invoices, email: other.databases.email };
    const { urls } = main;
    const processes = await processesOf(options, urls, databases);
    const provider = new ProviderWatch(urls['mail-provider']);
    const shop = new Shop(processes, { invoices: urls.invoices, provider: urls['mail-provider'] }, databases, provider);
    try {
      await Promise.all(processes.map((process) => process.start()));
      await Promise.all(processes.map((process) => process.untilReady()));
    } catch (error) {
      await shop.close();
      throw error;
    }
    return shop;
  }

  /** The services first, and when they are done what they talk to. */
  async close(): Promise<void> {
    const [provider, ...services] = this.processes;
    await Promise.all(services.map((process) => process.stop()));
    await provider!.stop();
  }
}

/** Everything that the local platform has to have made before a process can start. */
async function prepare(dir: string, kafkaBrokers: string, databaseUrl: string): Promise<System> {
  await mkdir(dir, { recursive: true });
  return startSystem({ namespace: NAMESPACE, dir, servers: { kafkaBrokers, databaseUrl }, without: processNames });
}

async function processesOf(
  { dir, brokers, emails, onOddEnd }: ShopOptions,
  urls: System['urls'],
  databases: Shop['databases'],
): Promise<ShopProcess[]> {
  const kafka = { KAFKA_BROKERS: brokers, SHOPFLOW_NAMESPACE: NAMESPACE };
  const process = (name: string, script: string, url: string, env: Record<string, string>, readyPath = '/health/ready') =>
    new ShopProcess({ name, script, dir, onOddEnd, readyUrl: url + readyPath, env: { HOST: LOOPBACK, PORT: new URL(url).port, ...env } });
  const relayEnv = { ...kafka, NODE_OPTIONS: RELAY_NODE_OPTIONS, RELAY_SOURCES: sourcesOf(databases) };
  const emailEnv = { ...kafka, ...EMAIL_SETTINGS, DATABASE_URL: databases.email, MAIL_PROVIDER_URL: urls['mail-provider'] };
  const emailUrls = await Promise.all(Array.from({ length: emails }, async () => `http://${LOOPBACK}:${await freePort()}`));
  return [
    process('mail-provider', 'deploy/local/dist/mail-provider/main.js', urls['mail-provider'], {}, '/stats'),
    process('relay', 'services/relay/dist/main.js', urls.relay, relayEnv),
    process('invoices', 'services/invoices/dist/main.js', urls.invoices, { ...kafka, DATABASE_URL: databases.invoices }),
    ...emailUrls.map((url, n) => process(`email-${n + 1}`, 'services/email/dist/main.js', url, emailEnv)),
  ];
}

const sourcesOf = (databases: Shop['databases']): string =>
  JSON.stringify(Object.entries(databases).map(([name, databaseUrl]) => ({ name, databaseUrl })));
