import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { type EventOf, orderCreated } from '@shopflow/contracts';
import { createTestDatabase, eventually, type TestDatabase, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { catchError, map, of, tap, throwError } from 'rxjs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listDeadLetters } from './dead-letters/list-dead-letters.js';
import { EventContext, type GroupStatus, PermanentError, Subscribe, SubscriptionError } from './index.js';
import { effect, effectMigrations, effects, forgetEverything } from './test-support/effects.js';
import { ORDERS, orderRecord, publish } from './test-support/publish.js';
import { startGroup } from './test-support/start-group.js';

type OrderCreated = EventOf<typeof orderCreated>;

let test: TestDatabase;
beforeAll(async () => void (test = await createTestDatabase(effectMigrations)));
beforeEach(() => forgetEverything(test.database));
afterAll(() => test.drop());

/** Publishes one event to a group with this consumer and waits until the group has done with it, one way or the other. */
async function consumeOne(consumer: Type, ended: (stats: GroupStatus) => boolean = (stats) => stats.handled + stats.deadLettered > 0) {
  const namespace = uniqueNamespace();
  await uniqueTopic({ namespace, name: ORDERS });
  await publish(orderRecord(namespace, { id: 'evt-1' }));
  const running = await startGroup({ namespace, database: test.database, controllers: [consumer] });
  try {
    return await eventually(() => ended(running.group.stats()) && running.group.stats());
  } finally {
    await running.stop();
  }
}

class DomainError extends Error {}

it('runs the handler exactly once behind an interceptor', async () => {
  const seen: string[] = [];
  @Injectable()
  class Timing implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler) {
      return next.handle().pipe(
        tap(() => seen.push('after')),
        map(() => undefined),
      );
    }
  }
  @Controller()
  class Consumer {
    @UseInterceptors(Timing)
    @Subscribe(orderCreated)
    async onOrderCreated(event: OrderCreated, { tx }: EventContext) {
      seen.push('handler');
      await effect(tx, event);
    }
  }
  await consumeOne(Consumer);
  expect(seen).toEqual(['handler', 'after']);
  expect(await effects(test.database)).toEqual(['evt-1']);
});

it('keeps the class of an error that is thrown behind an interceptor', async () => {
  @Injectable()
  class PassThrough implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler) {
      return next.handle();
    }
  }
  @Controller()
  @UseInterceptors(PassThrough)
  class Consumer {
    @Subscribe(orderCreated)
    async onOrderCreated(event: OrderCreated, { tx }: EventContext) {
      await effect(tx, event);
      throw new PermanentError('no such customer');
    }
  }
  expect(await consumeOne(Consumer)).toMatchObject({ deadLettered: 1 });
  expect(await listDeadLetters(test.database, 'audit')).toMatchObject([{ errorKind: 'permanent', reason: 'no such customer' }]);
  expect(await effects(test.database)).toEqual([]);
});

it('lets an interceptor turn a failure into a success', async () => {
  @Injectable()
  class Forgiving implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler) {
      return next.handle().pipe(catchError(() => of(undefined)));
    }
  }
  @Controller()
  class Consumer {
    @UseInterceptors(Forgiving)
    @Subscribe(orderCreated)
    onOrderCreated() {
      throw new DomainError('not interesting');
    }
  }
  expect(await consumeOne(Consumer)).toMatchObject({ handled: 1, failures: 0 });
});

@Catch(DomainError)
class ToPermanent implements ExceptionFilter {
  catch(error: DomainError, _host: ArgumentsHost) {
    return throwError(() => new PermanentError(`decided by a filter: ${error.message}`));
  }
}

it.each([['above'], ['below'], ['class']])('asks a filter first that stands %s', async (place) => {
  class Handler {
    onOrderCreated(_event: OrderCreated) {
      throw new DomainError('credit limit');
    }
  }
  const method = Object.getOwnPropertyDescriptor(Handler.prototype, 'onOrderCreated')!;
  if (place === 'below') UseFilters(ToPermanent)(Handler.prototype, 'onOrderCreated', method);
  Subscribe(orderCreated)(Handler.prototype, 'onOrderCreated', method);
  if (place === 'above') UseFilters(ToPermanent)(Handler.prototype, 'onOrderCreated', method);
  if (place === 'class') UseFilters(ToPermanent)(Handler);
  Controller()(Handler);
  await consumeOne(Handler);
  expect(await listDeadLetters(test.database, 'audit')).toMatchObject([{ reason: 'decided by a filter: credit limit' }]);
});

it('passes events through guards and pipes', async () => {
  const seen: unknown[] = [];
  @Injectable()
  class Guard implements CanActivate {
    canActivate(context: ExecutionContext) {
      const rpc = context.switchToRpc();
      seen.push(rpc.getData<OrderCreated>().id, rpc.getContext<EventContext>().group);
      return true;
    }
  }
  @Injectable()
  class Shout implements PipeTransform {
    transform(value: unknown) {
      return value instanceof EventContext ? value : { ...(value as OrderCreated), id: 'EVT-1' };
    }
  }
  @Controller()
  class Consumer {
    @UseGuards(Guard)
    @UsePipes(Shout)
    @Subscribe(orderCreated)
    onOrderCreated(event: OrderCreated, { tx }: EventContext) {
      return effect(tx, event);
    }
  }
  await consumeOne(Consumer);
  expect(seen).toEqual(['evt-1', 'audit']);
  expect(await effects(test.database)).toEqual(['EVT-1']);
});

it('counts an event that a guard refuses as failed, not as done', async () => {
  @Injectable()
  class Closed implements CanActivate {
    canActivate() {
      return false;
    }
  }
  @Controller()
  class Consumer {
    @UseGuards(Closed)
    @Subscribe(orderCreated)
    onOrderCreated() {}
  }
  const stats = await consumeOne(Consumer, ({ failures }) => failures > 0);
  expect(stats).toMatchObject({ handled: 0, failures: 1 });
  const { rows } = await test.database.query('SELECT event_id, reason, attempts FROM held_events');
  expect(rows).toEqual([{ event_id: 'evt-1', reason: 'Forbidden resource', attempts: 1 }]);
});

it('refuses to start with two subscriptions of one event', async () => {
  @Controller()
  class Consumer {
    @Subscribe(orderCreated)
    one() {}
    @Subscribe(orderCreated)
    two() {}
  }
  await expect(consumeOne(Consumer)).rejects.toThrow('Consumer.one and Consumer.two both subscribe to order.created');
});

it('refuses to start with a handler that is no subscription', async () => {
  @Controller()
  class Consumer {
    @EventPattern<string>('order.created')
    onOrderCreated() {}
  }
  await expect(consumeOne(Consumer)).rejects.toThrow(SubscriptionError);
});

it('refuses to start with a class that consumes and serves HTTP', async () => {
  @Controller()
  class Consumer {
    @Subscribe(orderCreated)
    onOrderCreated() {}
    @Get('orders')
    orders() {}
  }
  await expect(consumeOne(Consumer)).rejects.toThrow('Consumer subscribes to events and serves HTTP; make two controllers of it');
});
