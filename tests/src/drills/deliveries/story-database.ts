import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgres } from '@shopflow/servers';
import { Client } from 'pg';
import { Customer } from './customer.js';
import { Random } from '../consumer/random.js';
import type { DrillOptions, Servers } from './drill.js';
import { type Evidence, readDeliveries } from './evidence.js';
import { judge, type Verdict } from './judge.js';
import { settle } from './settle.js';
import { Shop } from './shop.js';

export interface StoryOutcome {
  readonly verdicts: readonly Verdict[];
  readonly evidence: Evidence;
  /** From the return of the database until the delivery was sent. */
  readonly sentAfterSeconds: number;
}

const AWAY_MS = 30_000;
/** Long enough to take hold of the row meanwhile. */
const CALL_MS = 1_500;

/**
 * Email's database, which has a server of its own, is stopped for 30 s right after the provider accepted an e-mail: its result is
 * on its way then, held up by a lock of ours. One e-mail, sent afterwards, and nobody died of it.
 */
export async function tellOfDatabase(options: DrillOptions, { dir, kafka, postgres }: Servers): Promise<StoryOutcome> {
  const emailServer = await EmbeddedPostgres.start({ dir: join(dir, 'postgres-email'), signal: options.signal });
  const oddEnds: string[] = [];
  const onOddEnd = (text: string) => void oddEnds.push(text);
  const urls = { brokers: kafka.brokers, serverUrl: postgres.url, emailServerUrl: emailServer.url };
  try {
    const shop = await Shop.open({ dir, ...urls, emails: 1, onOddEnd });
    try {
      return await tell(options, shop, emailServer, oddEnds);
    } finally {
      await shop.close();
    }
  } finally {
    await emailServer.remove();
  }
}

async function tell({ say, signal }: DrillOptions, shop: Shop, server: EmbeddedPostgres, oddEnds: string[]): Promise<StoryOutcome> {
  await shop.provider.control({ delayMs: CALL_MS });
  const customer = new Customer(shop.urls.invoices, new Random(1), 1); // whose first invoice has no flaw
  await customer.run(AbortSignal.timeout(500), signal);
  await stopAfterAcceptance(shop, server, say, signal);
  await delay(AWAY_MS, undefined, { signal });
  say('the database is back');
  await server.restart();
  const began = Date.now();
  await settle(shop, signal);
  const sentAfterSeconds = Math.round((Date.now() - began) / 1_000);
  await shop.provider.look();
  const inbox = await shop.provider.inbox();
  const evidence: Evidence = {
    requests: customer.requests,
    ...(await readDeliveries(shop)),
    inbox,
    mostAtOnce: shop.provider.mostAtOnce,
    oddEnds,
  };
  const sent = evidence.ledger.filter(({ status }) => status === 'sent').length;
  const one = {
    promise: 'one e-mail, and its delivery is sent',
    violations: inbox.length === 1 && sent === 1 ? [] : [`${inbox.length}, ${sent}`],
  };
  return { verdicts: [one, ...judge(evidence)], evidence, sentAfterSeconds };
}

/** The result of the accepted call cannot be written before the database goes. */
async function stopAfterAcceptance(shop: Shop, server: EmbeddedPostgres, say: DrillOptions['say'], signal: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: shop.databases.email });
  client.on('error', () => {}); // it loses its server, as everybody does
  await client.connect();
  await until(async () => (await client.query(`SELECT 1 FROM deliveries WHERE status = 'running'`)).rowCount === 1, signal);
  await client.query('BEGIN');
  await client.query(`SELECT 1 FROM deliveries WHERE status = 'running' FOR UPDATE`);
  say('the provider is being called');
  await until(async () => (await shop.provider.inbox()).length === 1, signal);
  await server.stop();
  say(`the provider has accepted, and the database is stopped for ${AWAY_MS / 1_000} s`);
  await client.end().catch(() => undefined);
}

const LOOK_MS = 20;
const PATIENCE_MS = 60_000;

async function until(condition: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; !(await condition()); await delay(LOOK_MS)) {
    signal.throwIfAborted();
    if (Date.now() > deadline) throw new Error('the delivery did not come to the provider');
  }
}
