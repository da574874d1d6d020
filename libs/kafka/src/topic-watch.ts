import { Admin, UserError } from '@platformatic/kafka';
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

/** Topics came, went or were created anew: the session that knows the old ones must end. */
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
 * topics is missing, and does not notice that a topic was created anew while its partitions were paused.
 */
export class TopicWatch {
  private readonly client: Admin;
  /** The existing topics with the ids that they got when they were created. */
  private known: ReadonlyMap<string, string> = new Map();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: TopicWatchOptions) {
    const { brokers, clientId } = options;
    const patience = { retries: 0, timeout: 5_000, requestTimeout: 5_000, connectTimeout: 2_000 };
    this.client = new Admin({ clientId, bootstrapBrokers: brokers.split(','), ...patience });
  }

  /** The topics that exist. @throws when no broker answers */
  async find(signal: AbortSignal): Promise<string[]> {
    this.known = await this.look();
    if (this.known.size < this.options.topics.length) {
      await waitOrAbort(BELIEVE_MS, signal);
      this.known = await this.look();
    }
    return [...this.known.keys()];
  }

  /** Calls `changed` when the topics are no longer those that {@link find} found. Looks every `everyMs`. */
  start(everyMs: number, changed: (error: TopicsChangedError) => void): void {
    this.timer = setTimeout(() => void this.compare(changed).finally(() => this.timer && this.start(everyMs, changed)), everyMs).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  async close(): Promise<void> {
    this.stop();
    await this.client.close();
  }

  private async compare(changed: (error: TopicsChangedError) => void): Promise<void> {
    try {
      const changes = whatChanged(this.known, await this.look());
      if (changes.length > 0 && this.timer) changed(new TopicsChangedError(changes));
    } catch (error) {
      // The broker is away: whoever reads from it says so.
      this.options.logger.debug({ err: error }, 'looking for the topics failed');
    }
  }

  private async look(): Promise<ReadonlyMap<string, string>> {
    const found = await Promise.all(this.options.topics.map(async (topic) => [topic, await this.idOf(topic)] as const));
    return new Map(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  private async idOf(topic: string): Promise<string | undefined> {
    try {
      const { topics } = await this.client.metadata({ topics: [topic], forceUpdate: true });
      return topics.get(topic)?.id;
    } catch (error) {
      // The client's answer to a topic that the broker does not know.
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }
}

/** In words, one per topic. */
export function whatChanged(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const topics = [...new Set([...before.keys(), ...after.keys()])];
  return topics.flatMap((topic) => {
    const [was, is] = [before.get(topic), after.get(topic)];
    if (was === is) return [];
    return is === undefined ? `${topic} was deleted` : was === undefined ? `${topic} was created` : `${topic} was deleted and created anew`;
  });
}
