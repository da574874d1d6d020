import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dlqTopic, orderCreated } from '@shopflow/contracts';
import { connectKafka, ensureTopics, physicalTopic } from '@shopflow/kafka';
import { type EmbeddedKafka, type EmbeddedPostgres, type Ending, withClient } from '@shopflow/servers';
import type { Logger } from '@shopflow/telemetry';
import { FaultSequence } from '../fault-sequence.js';
import { tellProgress } from '../progress.js';
import { Clicks } from './clicks.js';
import { createDrillDatabase } from './drill-database.js';
import { type Evidence, readStored } from './evidence.js';
import type { Stage } from './faults/fault.js';
import { LONG_OUTAGE, PLAN } from './faults/deck.js';
import { judge } from './judge.js';
import { Member } from './members.js';
import { progressLine } from './progress-line.js';
import { Publisher } from './publisher.js';
import { Random } from './random.js';
import { readIds } from './read-ids.js';
import type { Outcome } from './report.js';
import { GROUP, PARTITIONS, SESSION_TIMEOUT_MS } from './settings.js';
import { settle, untilJoined } from './settle.js';
import { Workload } from './workload.js';

export interface DrillOptions {
  readonly seed: number;
  /** Events are published and faults happen for so long. */
  readonly ms: number;
  readonly perSecond: number;
  readonly lanes: number;
  readonly say: (line: string) => void;
  /** Ends the drill early. */
  readonly signal: AbortSignal;
}

export interface Servers {
  readonly dir: string;
  readonly kafka: EmbeddedKafka;
  readonly postgres: EmbeddedPostgres;
  readonly logger: Logger;
}

const NAMESPACE = 'drill';
const REGULARS = 3;
const EXTRAS = 2;
const KEYS = 300;
const COPY_CHANCE = 0.1;
/** From this length on the database is away for a minute once. */
const LONG_MS = 240_000;
const COSTLY = [
  { at: 0.15, fate: 'kills', behindHeld: false },
  { at: 0.35, fate: 'hangs', behindHeld: true },
  { at: 0.55, fate: 'kills', behindHeld: true },
  { at: 0.75, fate: 'hangs', behindHeld: false },
] as const;

/** Publishes, breaks things, waits until the group has caught up, and judges what it has left. */
export async function runDrill(options: DrillOptions, servers: Servers): Promise<Outcome> {
  const { brokers } = servers.kafka;
  const databaseUrl = await createDrillDatabase(servers.postgres.url);
  const topic = { topic: physicalTopic(NAMESPACE, orderCreated.topic.name), partitions: PARTITIONS, retentionMs: 86_400_000 };
  await ensureTopics(connectKafka({ brokers, clientId: 'drill', logger: servers.logger }), [topic]);
  const drill = new Drill(options, servers, databaseUrl, await Clicks.start(databaseUrl));
  try {
    return await drill.run();
  } finally {
    await drill.end();
  }
}

class Drill {
  private readonly members: readonly Member[];
  private readonly stage: Stage;
  private readonly workload: Workload;
  private readonly publisher: Publisher;
  private readonly faults: FaultSequence<Stage>;
  private readonly startsFile: string;
  private killedByEvents = 0;
  private readonly oddEnds: string[] = [];

  constructor(
    private readonly options: DrillOptions,
    servers: Servers,
    private readonly databaseUrl: string,
    private readonly clicks: Clicks,
  ) {
    const { seed, ms, perSecond, lanes } = options;
    const { dir, kafka, postgres, logger } = servers;
    const place = { brokers: kafka.brokers, namespace: NAMESPACE, logger };
    this.startsFile = join(dir, 'starts');
    writeFileSync(this.startsFile, '');
    const settings = {
      ...place,
      databaseUrl,
      group: GROUP,
      lanes,
      startsFile: this.startsFile,
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
      logger: undefined,
    };
    const names = Array.from({ length: REGULARS + EXTRAS }, (_, n) => `member-${n + 1}`);
    this.members = names.map((name) => new Member(name, dir, settings, this.ended));
    this.stage = { ...place, kafka, postgres, members: this.members, regulars: REGULARS, clicks };
    this.workload = new Workload(new Random(seed), { namespace: NAMESPACE, keys: KEYS, copyChance: COPY_CHANCE });
    this.publisher = new Publisher(this.workload, { ...place, perSecond, ms, costly: COSTLY });
    this.faults = new FaultSequence(new Random(seed + 1), this.stage, PLAN);
  }

  async run(): Promise<Outcome> {
    for (const member of this.members.slice(0, REGULARS)) await member.start();
    this.options.say('waiting until its members have joined');
    await untilJoined(this.stage, REGULARS, this.options.signal);
    const progress = new AbortController();
    const { databaseUrl, publisher, members, faults } = this;
    const telling = tellProgress(() => progressLine({ databaseUrl, publisher, members, faults }), this.options.say, progress.signal);
    try {
      await this.trouble();
      const began = Date.now();
      this.options.say('no more faults; waiting until the group has caught up');
      const missing = await settle(this.stage, this.databaseUrl, this.options.signal);
      return await this.judge(missing, Math.round((Date.now() - began) / 1_000));
    } finally {
      progress.abort();
      await telling;
    }
  }

  async end(): Promise<void> {
    await Promise.all([...this.members.map((member) => member.leave()), this.clicks.stop()]);
  }

  /** Faults, for as long as events are published. */
  private async trouble(): Promise<void> {
    const over = new AbortController();
    const { ms, signal } = this.options;
    const faults = this.faults.run(over.signal, ms >= LONG_MS ? { afterMs: ms / 2, draw: LONG_OUTAGE } : undefined);
    try {
      await this.publisher.run(signal);
      signal.throwIfAborted();
    } finally {
      over.abort();
      await faults;
    }
  }

  private async judge(missing: string | undefined, settledAfter: number): Promise<Outcome> {
    const evidence = await this.evidence();
    const verdicts = [
      { promise: 'the group catches up', violations: missing === undefined ? [] : [`still missing: ${missing}`] },
      { promise: 'no member ends by itself', violations: this.oddEnds },
      { promise: 'one click of many does it', violations: this.clicks.doubled },
      ...judge(evidence),
    ];
    const { options, faults, clicks, killedByEvents } = this;
    const records = this.publisher.accepted;
    return { seed: options.seed, evidence, verdicts, records, faults: faults.counts, clicks: clicks.counts, killedByEvents, settledAfter };
  }

  private async evidence(): Promise<Evidence> {
    return {
      ...(await withClient(this.databaseUrl, readStored)),
      events: this.workload.events,
      dlq: await readIds(dlqTopic(GROUP), this.stage),
      starts: readFileSync(this.startsFile, 'utf8').trim().split('\n'),
      databaseCrashes: this.faults.counts.get('PostgreSQL down') ?? 0,
    };
  }

  private readonly ended = (member: Member, { code, signal }: Ending): void => {
    // A service that starts while its database is away ends, and is started again.
    if (signal === 'SIGKILL') this.killedByEvents += 1;
    else if (!/did not start/.test(member.lastWords()))
      this.oddEnds.push(`${member.name} ended with ${code ?? signal}: ${member.lastWords()}`);
  };
}
