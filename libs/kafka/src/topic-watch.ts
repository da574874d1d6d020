import type { Admin, ClusterMetadata, MetadataOptions } from '@platformatic/kafka';
import type { Logger } from '@shopflow/telemetry';
import { waitOrAbort } from './wait-or-abort.js';

export interface TopicWatchOptions {
  /** Comma-separated host:port. */
  readonly brokers: string;
  readonly clientId: string;
  /** Names on the broker. */
  readonly topics: readonly string[];
  readonly logger: Logger;
}

/** A topic as it was found. */
export interface FoundTopic {
  /** Given when the topic was created: another one by the same name has another. */
  readonly id: string;
  readonly partitions: number;
}

/** What is asked of the client. */
type TopicsClient = Pick<Admin, 'close'> & { metadata(options: MetadataOptions): Promise<Pick<ClusterMetadata, 'topics'>> };

type FoundTopics = ReadonlyMap<string, FoundTopic>;

/** Topics came, went, were created anew or got partitions: the session that knows the old ones must end. */
export class TopicsChangedError extends Error {
  constructor(readonly changes: readonly string[]) {
    super(`topics changed: ${changes.join(', ')}`);
    this.name = 'TopicsChangedError';
  }
}

/** A broker that has just started has not heard of every topic: so long a topic may be missing before that is believed. */
const BELIEVE_MS = 1_000;

/**
 * Which of a group's topics exist, and whether they stay the same ones. kafkajs reads nothing at all while one of its
 * topics is missing, sees new partitions after five minutes, and never that a topic was created anew while it was paused.
 */
export class TopicWatch {
  private client: Promise<TopicsClient> | undefined;
  private known: FoundTopics = new Map();
  private timer: NodeJS.Timeout | undefined;

  /** @param open connects to the broker; only a test gives another one */
  constructor(
    private readonly options: TopicWatchOptions,
    private readonly open: (options: TopicWatchOptions) => Promise<TopicsClient> = connect,
  ) {}

  /** The topics that exist. @throws when no broker answers */
  async find(signal: AbortSignal): Promise<string[]> {
    this.known = await this.look();
    if (this.known.size < this.options.topics.length) {
      await waitOrAbort(BELIEVE_MS, signal);
      this.known = await this.look();
    }
    return [...this.known.keys()];
  }

  /** Calls `changed` when the topics are no longer those that {@link find} found. Looks every `everyMs`, until {@link stop}. */
  start(everyMs: number, changed: (error: TopicsChangedError) => void): void {
    this.stop();
    const timer = setTimeout(() => void this.compare(isCurrent, changed).finally(again), everyMs).unref();
    // A look that was under way when it was stopped, and perhaps started anew, has nothing to say and is not repeated.
    const isCurrent = () => this.timer === timer;
    const again = () => isCurrent() && this.start(everyMs, changed);
    this.timer = timer;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  async close(): Promise<void> {
    this.stop();
    await (await this.client)?.close();
  }

  private async compare(isCurrent: () => boolean, changed: (error: TopicsChangedError) => void): Promise<void> {
    try {
      const changes = whatChanged(this.known, await this.look());
      if (changes.length > 0 && isCurrent()) changed(new TopicsChangedError(changes));
    } catch (error) {
      // The broker is away: whoever reads from it says so.
      this.options.logger.debug({ err: error }, 'looking for the topics failed');
    }
  }

  private async look(): Promise<FoundTopics> {
    const found = await Promise.all(this.options.topics.map(async (topic) => [topic, await this.lookAt(topic)] as const));
    return new Map(found.filter((entry): entry is [string, FoundTopic] => entry[1] !== undefined));
  }

  private async lookAt(topic: string): Promise<FoundTopic | undefined> {
    this.client ??= this.open(this.options);
    const client = await this.client;
    try {
      const { topics } = await client.metadata({ topics: [topic], forceUpdate: true });
      const found = topics.get(topic);
      return found && { id: found.id, partitions: found.partitionsCount };
    } catch (error) {
      // The client's answer to a topic that the broker does not know.
      if (error instanceof Error && error.message === `Unknown topic ${topic}.`) return undefined;
      throw error;
    }
  }
}

/** kafkajs cannot tell one topic from another of the same name. */
async function connect({ brokers, clientId }: TopicWatchOptions): Promise<Admin> {
  // Loading it takes half a second of CPU: not before it is needed.
  const { Admin: Client } = await import('@platformatic/kafka');
  const patience = { retries: 0, timeout: 5_000, requestTimeout: 5_000, connectTimeout: 2_000 };
  return new Client({ clientId, bootstrapBrokers: brokers.split(','), ...patience });
}

/** In words, one text per topic that is not what it was. */
export function whatChanged(before: FoundTopics, after: FoundTopics): string[] {
  const topics = [...new Set([...before.keys(), ...after.keys()])];
  return topics.flatMap((topic) => {
    const change = changeOf(before.get(topic), after.get(topic));
    return change === undefined ? [] : `${topic} ${change}`;
  });
}

function changeOf(was: FoundTopic | undefined, is: FoundTopic | undefined): string | undefined {
  if (was === undefined || is === undefined) return was === is ? undefined : is ? 'was created' : 'was deleted';
  if (was.id !== is.id) return 'was deleted and created anew';
  return was.partitions === is.partitions ? undefined : `has ${is.partitions} partitions instead of ${was.partitions}`;
}
