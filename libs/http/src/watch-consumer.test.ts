import { Controller, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type CustomTransportStrategy, EventPattern, Server } from '@nestjs/microservices';
import { createLogger } from '@shopflow/telemetry';
import { afterEach, expect, it } from 'vitest';
import { Readiness } from './health/readiness.js';
import { type RunningService, startService } from './start-service.js';

/** A strategy without a broker, which notes what happens to it. */
class NotingStrategy extends Server implements CustomTransportStrategy {
  live = true;
  fault: Error | undefined;
  constructor(
    private readonly notes: string[],
    private readonly failure?: Error,
  ) {
    super();
  }
  listen(callback: (error?: unknown) => void): void {
    this.notes.push(`listens for ${[...this.messageHandlers.keys()].join()}`);
    callback(this.failure);
  }
  close(): void {
    this.notes.push('closed');
  }
  async check(): Promise<void> {
    if (this.fault) throw this.fault;
  }
  on = () => undefined;
  unwrap = <T>() => undefined as T;
}

let running: RunningService | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(notes: string[], failure?: Error) {
  @Controller()
  class Consumer implements OnApplicationBootstrap, OnModuleDestroy {
    @EventPattern('order.created')
    handle(_event: unknown): void {}
    onApplicationBootstrap(): void {
      notes.push('bootstrapped');
    }
    onModuleDestroy(): void {
      notes.push('modules end');
    }
  }
  const strategy = new NotingStrategy(notes, failure);
  @Module({ controllers: [Consumer], providers: [{ provide: 'group', useValue: strategy }] })
  class ConsumingModule {}
  const logger = createLogger('consuming', 'silent');
  running = await startService({
    name: 'consuming',
    module: { module: ConsumingModule },
    logger,
    host: '127.0.0.1',
    port: 0,
    strategy: 'group',
  });
  const statusOf = async (path: string) => (await fetch(running!.url + path)).status;
  return { strategy, service: running, statusOf };
}

it('starts the consumer once every module is up and stops it before any module ends', async () => {
  const notes: string[] = [];
  const { service } = await start(notes);
  expect(notes).toEqual(['bootstrapped', 'listens for order.created']);
  running = undefined;
  await service.stop();
  expect(notes.slice(2, 4)).toEqual(['closed', 'modules end']);
});

it('tells whoever works by itself of the stop before the consumer ends', async () => {
  const notes: string[] = [];
  const { service } = await start(notes);
  service.app.get(Readiness).stopping.addEventListener('abort', () => notes.push('stopping'));
  running = undefined;
  await service.stop();
  expect(notes.slice(2, 5)).toEqual(['stopping', 'closed', 'modules end']);
});

it('is not ready while its consumer cannot work, and not live when only a restart helps it', async () => {
  const { strategy, statusOf } = await start([]);
  expect([await statusOf('/health/ready'), await statusOf('/health/live')]).toEqual([200, 200]);
  strategy.fault = new Error('not reading');
  expect([await statusOf('/health/ready'), await statusOf('/health/live')]).toEqual([503, 200]);
  strategy.live = false;
  expect(await statusOf('/health/live')).toBe(503);
});

it('does not start when its consumer cannot, and ends what it has begun', async () => {
  const notes: string[] = [];
  await expect(start(notes, new Error('subscribes to nothing'))).rejects.toThrow('subscribes to nothing');
  expect(notes).toContain('modules end');
});
