import type { Logger } from '@shopflow/telemetry';
import { expect, it } from 'vitest';
import { connectKafka } from './connect.js';

function noting(): { levels: string[]; logger: Logger } {
  const levels: string[] = [];
  const note = (level: string) => () => void levels.push(level);
  return { levels, logger: { debug: note('debug'), warn: note('warn'), error: note('error') } as unknown as Logger };
}

it.each([
  ['Connection', 'debug'],
  ['BrokerPool', 'debug'],
  ['Consumer', 'error'],
])('writes an error of the %s at level %s', (namespace, level) => {
  const { levels, logger } = noting();
  connectKafka({ brokers: '127.0.0.1:9092', clientId: 'test', logger }).logger().namespace(namespace).error('ECONNREFUSED');
  expect(levels).toEqual([level]);
});
