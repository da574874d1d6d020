import { UseFilters } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EventContract, EventOf } from '@shopflow/contracts';
import type { BatchContext, EventContext } from './event-context.js';
import { RethrowFilter } from './rethrow-filter.js';

/** The last argument of `@Subscribe` and `@SubscribeBatch`. */
export interface SubscriptionOptions {
  /**
   * What becomes of later events of a key when one of them is a dead letter: they go on (`release`, the default), or wait
   * until it is replayed or discarded (`block`).
   */
  readonly afterDeath?: 'release' | 'block';
}

/** What one `@Subscribe` or `@SubscribeBatch` asks for. Each has its own object, which identifies it. */
export interface Subscription extends Required<SubscriptionOptions> {
  readonly contracts: readonly EventContract[];
  readonly batch: boolean;
  /** `AuditConsumer.onOrderCreated`, for error messages. */
  readonly handler: string;
}

/** Only {@link KafkaGroup} gets these handlers, whatever other microservices an application connects. */
export const KAFKA_GROUP = Symbol('shopflow.kafka-group');

/** Key of the {@link Subscription} in a method's metadata. */
export const SUBSCRIPTION = Symbol('shopflow.subscription');

type EventOfAny<C extends EventContract> = C extends EventContract ? EventOf<C> : never;

/** A method that handles events of the contracts `C` one by one. */
export type EventHandler<C extends EventContract> = (event: EventOfAny<C>, context: EventContext) => unknown;

/** A method that handles many events of the contracts `C` at once. */
export type BatchHandler<C extends EventContract> = (events: readonly EventOfAny<C>[], context: BatchContext) => unknown;

type Contracts = readonly [EventContract, ...(EventContract | SubscriptionOptions)[]];
type ContractIn<T extends Contracts> = Extract<T[number], EventContract>;

const isContract = (argument: EventContract | SubscriptionOptions): argument is EventContract => 'topic' in argument;

type HandlerDecorator<Handler> = <H extends Handler>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<H>) => void;

/**
 * Calls the method with each event of the contract, in the order of the partition, inside the transaction that claims it.
 * A method whose first parameter does not fit the contract does not compile.
 *
 * @param of contracts, and {@link SubscriptionOptions} behind them
 * @example `@Subscribe(orderCreated) record(event: EventOf<typeof orderCreated>, { tx }: EventContext) { … }`
 */
export function Subscribe<const T extends Contracts>(...of: T): HandlerDecorator<EventHandler<ContractIn<T>>> {
  return subscribe(of, false);
}

/**
 * Like {@link Subscribe}, with a run of consecutive events at once, as long as possible: for handlers that write all of
 * them in one statement. When it fails, it is called again with smaller runs until the event that fails is known.
 */
export function SubscribeBatch<const T extends Contracts>(...of: T): HandlerDecorator<BatchHandler<ContractIn<T>>> {
  return subscribe(of, true);
}

function subscribe<Handler>(of: readonly (EventContract | SubscriptionOptions)[], batch: boolean): HandlerDecorator<Handler> {
  const contracts = of.filter(isContract);
  const options = of.find((argument) => !isContract(argument));
  return (target, key, descriptor) => {
    const handler = `${target.constructor.name}.${String(key)}`;
    const subscription: Subscription = { afterDeath: 'release', ...options, contracts, batch, handler };
    const patterns = contracts.map((contract) => contract.type);
    EventPattern(patterns, KAFKA_GROUP, { subscription })(target, key, descriptor);
    Reflect.defineMetadata(SUBSCRIPTION, subscription, descriptor.value as object);
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    // On the class and before its own filters, so that every filter of the class and the method comes first.
    UseFilters(new RethrowFilter())(target.constructor);
  };
}
