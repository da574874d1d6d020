import type { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';
import { Random } from '../consumer/random.js';
import { FaultSequence } from '../fault-sequence.js';
import { tellProgress } from '../progress.js';
import { Customer } from './customer.js';
import { type Evidence, readDeliveries } from './evidence.js';
import { PLAN, slowDown, type Stage } from './faults.js';
import { judge } from './judge.js';
import type { Outcome } from './report.js';
import { settle } from './settle.js';
import { Shop } from './shop.js';

export interface DrillOptions {
  readonly seed: number;
  /** Invoices are sent and faults happen for so long. */
  readonly ms: number;
  readonly say: (line: string) => void;
  /** Ends the drill early. */
  readonly signal: AbortSignal;
}

export interface Servers {
  readonly dir: string;
  readonly kafka: EmbeddedKafka;
  readonly postgres: EmbeddedPostgres;
}

const EMAILS = 3;
const PER_SECOND = 20;
/** For whoever still waits for an answer when the faults are over. */
const PATIENCE_MS = 30_000;

/** Sends invoices, kills everything that takes part, waits until nothing is open, and judges what is there. */
export async function runDrill(options: DrillOptions, { dir, kafka, postgres }: Servers): Promise<Outcome> {
  const oddEnds: string[] = [];
  const onOddEnd = (text: string) => void oddEnds.push(text);
  const shop = await Shop.open({ dir, brokers: kafka.brokers, serverUrl: postgres.url, emails: EMAILS, onOddEnd });
  try {
    return await new Drill(options, { kafka, postgres, shop }, oddEnds).run();
  } finally {
    await shop.close();
  }
}

class Drill {
  private readonly customer: Customer;
  private readonly faults: FaultSequence<Stage>;

  constructor(
    private readonly options: DrillOptions,
    private readonly stage: Stage,
    private readonly oddEnds: readonly string[],
  ) {
    this.customer = new Customer(stage.shop.urls.invoices, new Random(options.seed + 1), PER_SECOND);
    this.faults = new FaultSequence(new Random(options.seed), stage, PLAN);
  }

  async run(): Promise<Outcome> {
    const { shop } = this.stage;
    const { say, signal } = this.options;
    const over = new AbortController();
    await slowDown(shop);
    const others = [shop.provider.watch(over.signal), tellProgress(() => this.line(), say, over.signal)];
    try {
      await this.trouble();
      say('no more faults; waiting until every delivery is sent or dead');
      const began = Date.now();
      await settle(shop, signal);
      return await this.judge(Math.round((Date.now() - began) / 1_000));
    } finally {
      over.abort();
      await Promise.all(others);
    }
  }

  /** Faults, for as long as invoices are sent. */
  private async trouble(): Promise<void> {
    const { ms, signal } = this.options;
    const over = AbortSignal.any([AbortSignal.timeout(ms), signal]);
    const giveUp = AbortSignal.any([AbortSignal.timeout(ms + PATIENCE_MS), signal]);
    await Promise.all([this.faults.run(over), this.customer.run(over, giveUp)]);
    signal.throwIfAborted();
  }

  private async line(): Promise<string> {
    const { shop } = this.stage;
    const counts = ({ ledger }: Pick<Evidence, 'ledger'>) =>
      [...Map.groupBy(ledger, ({ status }) => status)].map(([status, { length }]) => `${status} ${length}`).join(', ');
    const found = await readDeliveries(shop).then(counts, () => 'a database does not answer');
    const down = shop.processes.filter(({ state }) => state !== 'running').map(({ name }) => name);
    return `${this.customer.accepted} times 202; ${found}; down: ${down.join(', ') || 'none'}; last fault: ${this.faults.last}`;
  }

  private async judge(settledAfter: number): Promise<Outcome> {
    const { shop } = this.stage;
    await shop.provider.look();
    const evidence: Evidence = {
      requests: this.customer.requests,
      ...(await readDeliveries(shop)),
      inbox: await shop.provider.inbox(),
      mostAtOnce: shop.provider.mostAtOnce,
      oddEnds: this.oddEnds,
    };
    const { counts, failures } = this.faults;
    return { seed: this.options.seed, evidence, verdicts: judge(evidence), faults: counts, failures, settledAfter };
  }
}
