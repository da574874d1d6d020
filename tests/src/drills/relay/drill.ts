import { connectKafka, ensureTopics, physicalTopic } from '@shopflow/kafka';
import type { EmbeddedKafkaCluster, EmbeddedPostgres } from '@shopflow/servers';
import type { Logger } from '@shopflow/telemetry';
import { Random } from '../consumer/random.js';
import { FaultSequence } from '../fault-sequence.js';
import { tellProgress } from '../progress.js';
import { watchForAlarms } from './alarms.js';
import { createSource, type DrillSource } from './drill-source.js';
import type { DrillEvent, Evidence, PublishedRecord } from './evidence/evidence.js';
import { judge, judgeTimes } from './evidence/judge.js';
import { readPublished } from './evidence/read-published.js';
import { readSetAside, readStored } from './evidence/read-stored.js';
import type { Stage } from './faults/fault.js';
import { PLAN } from './faults/deck.js';
import { handOver } from './faults/hand-overs.js';
import { TakeOvers } from './faults/take-overs.js';
import { progressLine } from './progress-line.js';
import { RelayProcess } from './relay-process.js';
import type { Outcome } from './report.js';
import { settle } from './settle.js';
import { Writer } from './writing/writer.js';

export interface DrillOptions {
  readonly seed: number;
  /** Writers write and faults happen for so long. */
  readonly ms: number;
  readonly say: (line: string) => void;
  /** Ends the drill early. */
  readonly signal: AbortSignal;
}

export interface Servers {
  readonly dir: string;
  readonly kafka: EmbeddedKafkaCluster;
  readonly postgres: EmbeddedPostgres;
  readonly logger: Logger;
}

const NAMESPACE = 'drill';
const SOURCES = ['orders', 'invoices'];
const RELAYS = ['relay-1', 'relay-2'];
const PARTITIONS = 6;
const KEYS = 400;
const WRITERS = 4;
const REST_MS = 80;
const DAY_MS = 86_400_000;

/** Writes, breaks things, waits until everything is published, and judges what is there. */
export async function runDrill(options: DrillOptions, servers: Servers): Promise<Outcome> {
  const { kafka, postgres, logger, dir } = servers;
  const sources = await Promise.all(SOURCES.map((name) => createSource(postgres.url, name, KEYS)));
  const topics = sources.map(({ topic }) => ({ topic: physicalTopic(NAMESPACE, topic), partitions: PARTITIONS, retentionMs: DAY_MS }));
  await ensureTopics(connectKafka({ brokers: kafka.brokers, clientId: 'drill', logger }), topics);
  const oddEnds: string[] = [];
  const settings = { dir, brokers: kafka.brokers, namespace: NAMESPACE, sources };
  const relays = await Promise.all(RELAYS.map((name) => RelayProcess.create(name, settings, (text) => oddEnds.push(text))));
  try {
    return await new Drill(options, servers, sources, relays, oddEnds).run();
  } finally {
    await Promise.all(relays.map((relay) => relay.stop()));
  }
}

class Drill {
  private readonly history: DrillEvent[] = [];
  private readonly takeOvers = new TakeOvers();
  private readonly stage: Stage;
  private readonly faults: FaultSequence<Stage>;

  constructor(
    private readonly options: DrillOptions,
    private readonly servers: Servers,
    private readonly sources: readonly DrillSource[],
    private readonly relays: readonly RelayProcess[],
    private readonly oddEnds: readonly string[],
  ) {
    const { kafka, postgres } = servers;
    this.stage = { kafka, postgres, relays, takeOvers: this.takeOvers };
    this.faults = new FaultSequence(new Random(options.seed), this.stage, PLAN);
  }

  async run(): Promise<Outcome> {
    await Promise.all(this.relays.map((relay) => relay.start()));
    const over = new AbortController();
    const { sources, relays, history, faults, options } = this;
    const telling = tellProgress(() => progressLine({ sources, relays, history, faults }), options.say, over.signal);
    const alarms = watchForAlarms(relays, over.signal);
    try {
      await this.trouble();
      options.say('waiting until everything is published');
      const began = Date.now();
      const waiting = await settle(sources, options.signal);
      const settledAfter = Math.round((Date.now() - began) / 1_000);
      over.abort();
      return await this.judge(waiting, await alarms, settledAfter);
    } finally {
      over.abort();
      await telling;
    }
  }

  /** Faults, and then only relays that end, while writers write. */
  private async trouble(): Promise<void> {
    const { ms, signal, say } = this.options;
    const over = new AbortController();
    const writing = Promise.all(this.writers().map((writer) => writer.run(AbortSignal.any([over.signal, signal]))));
    await this.faults.run(AbortSignal.any([AbortSignal.timeout(ms), signal]));
    say('no more faults; now only relays end, one by one');
    await handOver(this.stage, signal).finally(() => over.abort());
    await writing;
    signal.throwIfAborted();
  }

  private writers(): Writer[] {
    const { history, options } = this;
    return this.sources.flatMap((source, place) =>
      Array.from({ length: WRITERS }, (_, number) => {
        const random = new Random(options.seed + 1 + place * WRITERS + number);
        const { name, databaseUrl, topic } = source;
        return new Writer({ source: name, databaseUrl, topic, keys: KEYS, random, history, restMs: REST_MS });
      }),
    );
  }

  private async judge(waiting: Record<string, number>, alarms: readonly string[], settledAfter: number): Promise<Outcome> {
    const { kafka, logger } = this.servers;
    const place = { brokers: kafka.brokers, namespace: NAMESPACE, logger };
    const published: PublishedRecord[][] = [];
    for (const source of this.sources) published.push(await readPublished(source, place));
    const evidence: Evidence = {
      events: this.history,
      stored: new Set((await Promise.all(this.sources.map(readStored))).flat()),
      published: published.flat(),
      waiting,
      setAside: (await Promise.all(this.sources.map(readSetAside))).flat(),
      alarms,
      oddEnds: this.oddEnds,
      takeOvers: this.takeOvers.measured,
    };
    const verdicts = { verdicts: judge(evidence), times: judgeTimes(evidence) };
    return { seed: this.options.seed, evidence, ...verdicts, faults: this.faults.counts, failures: this.faults.failures, settledAfter };
  }
}
