import type { Type } from '@nestjs/common';
import type { Database } from '@shopflow/database';
import type { ProducerRecord } from '@shopflow/kafka';
import { createTestDatabase, type TestDatabase, uniqueNamespace, uniqueTopic } from '@shopflow/testing';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { effectMigrations, forgetEverything } from './effects.js';
import { ORDERS, orderRecord, type TestEvent } from './publish.js';
import { type RunningGroup, startGroup, type TestGroupOptions } from './start-group.js';

/** What a test file needs to run groups: a database of its own, emptied for each test, and a namespace for each test. */
export interface ConsumingService {
  readonly database: Database;
  readonly namespace: string;
  /** Creates `orders.events`. */
  createTopic(partitions?: number): Promise<string>;
  order(event?: TestEvent): ProducerRecord;
  orders(...ids: readonly string[]): ProducerRecord[];
  /** A member of the group; stopped after the test. */
  start(controller: Type, options?: Partial<TestGroupOptions>): Promise<RunningGroup>;
}

/** Registers the hooks of a test file. */
export function consumingService(): ConsumingService {
  let test: TestDatabase;
  let namespace: string;
  const started: RunningGroup[] = [];
  beforeAll(async () => void (test = await createTestDatabase(effectMigrations, { poolSize: 20 })));
  beforeEach(async () => {
    await forgetEverything(test.database);
    namespace = uniqueNamespace();
  });
  afterEach(() => Promise.all(started.splice(0).map((running) => running.stop())));
  afterAll(() => test.drop());
  return {
    get database() {
      return test.database;
    },
    get namespace() {
      return namespace;
    },
    createTopic: (partitions = 1) => uniqueTopic({ namespace, name: ORDERS, partitions }),
    order: (event = {}) => orderRecord(namespace, event),
    orders: (...ids) => ids.map((id) => orderRecord(namespace, { id })),
    async start(controller, options = {}) {
      const running = await startGroup({ namespace, database: test.database, controllers: [controller], ...options });
      started.push(running);
      return running;
    },
  };
}
