import type { EventContract } from '@shopflow/contracts';
import type { Subscription } from './subscribe.js';

/** A handler as Nest hands it over: with guards, pipes, interceptors and filters around it. */
export type NestHandler = (data: unknown, context: unknown) => unknown;

/** A subscription with the method behind it, and one of its contracts. */
export interface Subscriber {
  readonly subscription: Subscription;
  readonly contract: EventContract;
  readonly handle: NestHandler;
}

/** The service cannot start with these handlers. */
export class SubscriptionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SubscriptionError';
  }
}

/** Which handler of the group gets which event. */
export class Subscriptions {
  private readonly byTopic = new Map<string, Map<string, Subscriber>>();

  /** @throws SubscriptionError when the group has a handler for this event already */
  add(type: string, subscription: Subscription, handle: NestHandler): void {
    const contract = subscription.contracts.find((candidate) => candidate.type === type)!;
    const types = this.typesOf(contract.topic.name);
    const other = types.get(type);
    if (other) {
      const both = `${other.subscription.handler} and ${subscription.handler}`;
      throw new SubscriptionError(`${both} both subscribe to ${type}; an event is handled once in a group: let one method do both`);
    }
    types.set(type, { subscription, contract, handle });
  }

  /** Logical names. */
  get topics(): string[] {
    return [...this.byTopic.keys()];
  }

  get types(): string[] {
    return [...this.byTopic.values()].flatMap((types) => [...types.keys()]);
  }

  /** What this code can read. */
  get readable(): { type: string; latest: number }[] {
    return [...this.byTopic.values()].flatMap((types) =>
      [...types.values()].map(({ contract: { type, latest } }) => ({ type, latest: latest.number })),
    );
  }

  find(topic: string, type: string): Subscriber | undefined {
    return this.byTopic.get(topic)?.get(type);
  }

  /** The service that publishes to a topic of {@link topics}. */
  ownerOf(topic: string): string {
    const [subscriber] = this.byTopic.get(topic)?.values() ?? [];
    return subscriber?.contract.owner ?? topic;
  }

  private typesOf(topic: string): Map<string, Subscriber> {
    const types = this.byTopic.get(topic) ?? new Map<string, Subscriber>();
    this.byTopic.set(topic, types);
    return types;
  }
}
