import { setTimeout as delay } from 'node:timers/promises';
import { type DrawFault, seconds } from './fault.js';

/** @param mostMs how long it is away, at most */
export const crashPostgres =
  (leastMs: number, mostMs: number): DrawFault =>
  (random, { postgres }) => {
    const ms = random.between(leastMs, mostMs);
    return {
      name: 'PostgreSQL down',
      target: 'postgres',
      text: `PostgreSQL is killed, back after ${seconds(ms)}`,
      async run() {
        await postgres.kill();
        await delay(ms);
        await postgres.restart();
      },
    };
  };

export const crashKafka: DrawFault = (random, { kafka }) => {
  const ms = random.between(0, 5_000);
  return {
    name: 'Kafka down',
    target: 'kafka',
    text: `the broker is killed, back after ${seconds(ms)}`,
    async run() {
      await kafka.kill();
      await delay(ms);
      await kafka.restart();
    },
  };
};
