import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProcessName, startSystem, type System } from '@shopflow/local';
import { databaseServerUrl, kafkaBrokers, uniqueNamespace } from '@shopflow/testing';
import { Client } from 'pg';

interface LogEntry {
  readonly correlationId?: string;
  readonly organizationId?: string;
  readonly msg: string;
}

/** A whole ShopFlow for one test file, and what its tests ask of it. */
export class RunningShop {
  private constructor(
    readonly system: System,
    private readonly dir: string,
  ) {}

  /** @param email further settings of the email service */
  static async start(email: Readonly<Record<string, string>> = {}): Promise<RunningShop> {
    const dir = await mkdtemp(join(tmpdir(), 'shopflow-journey-'));
    const system = await startSystem({
      namespace: uniqueNamespace(),
      dir,
      servers: { kafkaBrokers: kafkaBrokers(), databaseUrl: databaseServerUrl() },
      settings: { email: { MAIL_RETRY_DELAYS_MS: '50,50,50', ...email } },
    });
    return new RunningShop(system, dir);
  }

  async remove(): Promise<void> {
    await this.system.remove();
    await rm(this.dir, { recursive: true, force: true });
  }

  async send<T>(service: ProcessName, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const response = await fetch(this.system.urls[service] + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  place(orderId: string, email = 'ada@shop.ng', correlationId = `req-${orderId}`): Promise<unknown> {
    const order = { orderId, customer: { email, name: 'Ada' }, totalKobo: 100, currency: 'NGN', channel: 'web' };
    return this.send('orders', 'POST', '/orders', order, { 'x-request-id': correlationId });
  }

  async query<Row extends object>(database: keyof System['databases'], text: string, values: unknown[] = []): Promise<Row[]> {
    return queryAt<Row>(this.system.databases[database], text, values);
  }

  /** Lines of the audit log about one order, in their order. */
  async auditLines(orderId: string): Promise<string[]> {
    const { entries } = await this.send<{ entries: { line: string }[] }>('audit', 'GET', `/audit?orderId=${orderId}`);
    return entries.map(({ line }) => line);
  }

  async mailsTo(address: string): Promise<string[]> {
    const inbox = await this.send<{ to: string; text: string }[]>('mail-provider', 'GET', '/inbox');
    return inbox.filter(({ to }) => to === address).map(({ text }) => text);
  }

  /** The service's log lines that belong to one correlation id. */
  async logLines(service: ProcessName, correlationId: string): Promise<string[]> {
    return (await this.logEntries(service, correlationId)).map(({ msg }) => msg);
  }

  /** Whose they are, each organization once; undefined where a line does not say. */
  async organizationsInLog(service: ProcessName, correlationId: string): Promise<unknown[]> {
    return [...new Set((await this.logEntries(service, correlationId)).map(({ organizationId }) => organizationId))];
  }

  private async logEntries(service: ProcessName, correlationId: string): Promise<LogEntry[]> {
    const lines = (await readFile(this.system.logFileOf(service), 'utf8')).split('\n').filter((line) => line.startsWith('{'));
    const parsed = lines.map((line) => JSON.parse(line) as LogEntry);
    return parsed.filter((line) => line.correlationId === correlationId);
  }
}

export async function queryAt<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url, application_name: 'journey' });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
