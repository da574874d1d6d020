import type { Logger } from '@shopflow/telemetry';
import { Client } from 'pg';
import { DUE_CHANNEL } from '../ledger/due-notice.js';

const RECONNECT_MS = 1_000;

/** Listens for commits that made a delivery due. Losing the connection costs time, not e-mails: the poll finds them too. */
export class DueSignal {
  private client: Client | undefined;
  private reconnecting: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly onDue: () => void,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    if (this.stopped) return;
    const client = new Client({ connectionString: this.databaseUrl, application_name: 'email-due', keepAlive: true });
    let lost = false;
    const reconnect = (error?: Error) => {
      if (lost) return;
      lost = true;
      this.loseConnection(client, error);
    };
    client.on('error', reconnect).on('end', () => reconnect());
    client.on('notification', this.onDue);
    try {
      await client.connect();
      this.client = client;
      await client.query(`LISTEN ${DUE_CHANNEL}`);
      if (this.stopped) await client.end();
      this.onDue(); // what became due while nobody listened
    } catch (error) {
      reconnect(error as Error);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.reconnecting);
    await this.client?.end();
  }

  private loseConnection(client: Client, error: Error | undefined): void {
    this.client = undefined;
    if (this.stopped) return;
    this.logger.warn({ err: error }, `not told of due deliveries; connecting again in ${RECONNECT_MS} ms`);
    client.end().catch((cause: unknown) => this.logger.debug({ err: cause }, 'the lost connection was gone already'));
    this.reconnecting = setTimeout(() => void this.start(), RECONNECT_MS);
  }
}
