import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

const WRITERS = 3;
const KEYS = 40;
const MOST_PAUSE_MS = 120;

const INSERT = `
  INSERT INTO outbox (id, aggregateid, type, version, topic, payload, organization_id, correlation_id, causation_id, traceparent, tracestate)
  VALUES ($1, $2, 'order.created', 3, 'orders.events', $3, $4, $5, $6, $7, $8)`;

/** Services that write events without a pause, in transactions that overlap; some are rolled back, whole or in part. */
export class Writers {
  private running = true;
  private count = 0;
  private readonly done: Promise<unknown>;
  /** Events of transactions that were rolled back. */
  readonly undone = new Set<string>();

  constructor(private readonly databaseUrl: string) {
    this.done = Promise.all(Array.from({ length: WRITERS }, () => this.write()));
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async write(): Promise<void> {
    const client = new Client({ connectionString: this.databaseUrl, application_name: 'writer' });
    await client.connect();
    try {
      while (this.running) await this.transaction(client);
    } finally {
      await client.end();
    }
  }

  private async transaction(client: Client): Promise<void> {
    await client.query('BEGIN');
    const ids = [await this.insert(client), ...(Math.random() < 0.1 ? await this.insertAndTakeBack(client) : [])];
    while (Math.random() < 0.5) ids.push(await this.insert(client));
    await delay(Math.random() * MOST_PAUSE_MS); // others overtake
    const undone = Math.random() < 0.15;
    if (undone) for (const id of ids) this.undone.add(id);
    await client.query(undone ? 'ROLLBACK' : 'COMMIT');
  }

  private async insertAndTakeBack(client: Client): Promise<string[]> {
    await client.query('SAVEPOINT part');
    this.undone.add(await this.insert(client));
    await client.query('ROLLBACK TO SAVEPOINT part');
    return [];
  }

  /** Headers differ from event to event, so that a difference between the publishers shows. */
  private async insert(client: Client): Promise<string> {
    const n = this.count++;
    const id = `evt-${n}`;
    const key = `ORD-${Math.floor(Math.random() * KEYS)}`;
    const payload = {
      orderId: key,
      customer: { email: 'ada@shop.ng', name: `Adé "${n}"` },
      totalKobo: 100 + n,
      currency: 'NGN',
      channel: 'web',
    };
    const known = n % 3 > 0;
    const trace = known ? [`00-${String(n).padStart(32, '0')}-b7ad6b7169203331-01`, 'shop=é'] : [null, null];
    await client.query(INSERT, [
      id,
      key,
      payload,
      known ? 'shopflow' : 'acme',
      known ? `req-é-${n}` : null,
      known ? `cause-${n}` : null,
      ...trace,
    ]);
    return id;
  }
}
