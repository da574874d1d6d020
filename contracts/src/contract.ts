import type { Static, TObject } from 'typebox';
import { compilePayload, type PayloadReader } from './payload.js';
import type { Topic } from './topics.js';
import type { EventVersion, Upcaster } from './version.js';

/** Everything that a consumer of an event may rely on. Owned by `owner`: only that service publishes and changes it. */
export interface EventContract<Type extends string = string, Latest extends TObject = TObject> {
  readonly type: Type;
  readonly owner: string;
  readonly topic: Topic;
  /**
   * The payload field that is the Kafka key: events with the same value stay in order. Where it is null (an invoice without an
   * order) the key is `number`.
   */
  readonly key: string;
  /** What happened, for people. */
  readonly summary: string;
  /** Every version ever released, ascending, the last one current. */
  readonly versions: readonly EventVersion[];
  readonly latest: EventVersion<Latest>;
  /** One for each step from a version to the next. */
  readonly upcasters: readonly Upcaster[];
  /** Checks a payload of the latest version. */
  readonly payload: PayloadReader<Static<Latest>>;
}

/** The payload type of a contract, inferred from the schema of its latest version. */
export type PayloadOf<C> = C extends EventContract<string, infer Latest> ? Static<Latest> : never;

interface Definition<Type extends string, Latest extends TObject> {
  readonly type: Type;
  readonly topic: Topic;
  /** `orderId` when left out. */
  readonly key?: keyof Static<NoInfer<Latest>> & string;
  readonly summary: string;
  readonly versions: readonly [...EventVersion[], EventVersion<Latest>];
  readonly upcasters?: readonly Upcaster[];
}

/** @throws Error when the versions are not 1, 2, 3 …: a mistake in the contract module itself. */
export function defineEvent<const Type extends string, Latest extends TObject>(
  definition: Definition<Type, Latest>,
): EventContract<Type, Latest> {
  const { type, topic, key = 'orderId', summary, versions, upcasters = [] } = definition;
  versions.forEach((v, index) => {
    if (v.number !== index + 1) throw new Error(`${type}: version ${v.number} stands at place ${index + 1}; versions are 1, 2, 3 …`);
  });
  const latest = versions.at(-1) as EventVersion<Latest>;
  return { type, owner: topic.owner, topic, key, summary, versions, latest, upcasters, payload: compilePayload(latest.schema) };
}
