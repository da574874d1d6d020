import type { Mail } from '@shopflow/local/mail-provider';
import { withClient } from '@shopflow/servers';
import type { Request } from './customer.js';
import type { Shop } from './shop.js';

/** A delivery as the invoices service shows it. */
export interface Shown {
  readonly deliveryId: number;
  readonly number: string;
  readonly status: string;
  readonly attempts: number;
  readonly providerId: string | null;
  readonly reason: string | null;
  readonly invoiceStatus: string;
}

/** A delivery in email's ledger. */
export interface Ledgered {
  /** `delivery-7` */
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly attempts: number;
  readonly providerId: string | null;
  readonly lastError: string | null;
}

export interface Evidence {
  readonly requests: readonly Request[];
  readonly shown: readonly Shown[];
  readonly ledger: readonly Ledgered[];
  readonly inbox: readonly Mail[];
  readonly mostAtOnce: number;
  /** Ends of processes that nobody asked for. */
  readonly oddEnds: readonly string[];
}

const SHOWN = `
  SELECT d.id::int AS "deliveryId", i.number, d.status, d.attempts, d.provider_id AS "providerId", d.reason, i.status AS "invoiceStatus"
  FROM deliveries d JOIN invoices i ON i.id = d.invoice_id ORDER BY d.id`;
const LEDGER = `
  SELECT id, number, status, attempts, provider_id AS "providerId", last_error AS "lastError" FROM deliveries WHERE kind = 'invoice'`;

const query = async <Row>(connectionString: string, text: string): Promise<Row[]> =>
  withClient({ connectionString, connectionTimeoutMillis: 3_000 }, async (client) => (await client.query(text)).rows as Row[]);

/** What both services hold of the deliveries. @throws while a database is away */
export async function readDeliveries({ databases }: Pick<Shop, 'databases'>): Promise<Pick<Evidence, 'shown' | 'ledger'>> {
  const [shown, ledger] = await Promise.all([query<Shown>(databases.invoices, SHOWN), query<Ledgered>(databases.email, LEDGER)]);
  return { shown, ledger };
}
