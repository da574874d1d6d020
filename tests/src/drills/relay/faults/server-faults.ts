import { setTimeout as delay } from 'node:timers/promises';
import { type DrawFault, type Fault, seconds, type Stage } from './fault.js';

export const crashPostgres: DrawFault = (random, { postgres, takeOvers }) => {
  const ms = random.between(0, 4_000);
  const outage = () =>
    away(
      () => postgres.kill(),
      ms,
      () => postgres.restart(),
    );
  const text = `PostgreSQL is killed, back after ${seconds(ms)}`;
  return { name: 'PostgreSQL kill -9', target: 'postgres', text, run: () => takeOvers.disturbedBy(outage) };
};

export const restartPostgres: DrawFault = (_random, { postgres, takeOvers }) => ({
  name: 'PostgreSQL restart',
  target: 'postgres',
  text: 'PostgreSQL is restarted',
  run: () => takeOvers.disturbedBy(() => postgres.restart()),
});

export const crashBroker: DrawFault = (random, stage) => {
  const [number, ms] = [1 + random.below(stage.kafka.size), random.between(0, 6_000)];
  return brokerFault(stage, 'broker kill -9', `broker ${number} is killed, back after ${seconds(ms)}`, () => crash(stage, number, ms));
};

export const restartBroker: DrawFault = (random, stage) => {
  const number = 1 + random.below(stage.kafka.size);
  return brokerFault(stage, 'broker restart', `broker ${number} is restarted`, () => stage.kafka.node(number).restart());
};

/** What is left of three may not accept anything meanwhile. */
export const crashTwoBrokers: DrawFault = (random, stage) => {
  const numbers = Array.from({ length: stage.kafka.size }, (_, index) => index + 1);
  const [one, other] = random.shuffled(numbers) as [number, number];
  const [first, second] = [random.between(2_000, 8_000), random.between(2_000, 8_000)];
  const text = `brokers ${one} and ${other} are killed, back after ${seconds(first)} and ${seconds(second)}`;
  return brokerFault(stage, 'two brokers kill -9', text, async () => {
    await Promise.all([crash(stage, one, first), crash(stage, other, second)]);
  });
};

const brokerFault = ({ takeOvers }: Stage, name: string, text: string, run: () => Promise<void>): Fault => ({
  name,
  target: 'kafka',
  text,
  run: () => takeOvers.disturbedBy(run),
});

function crash({ kafka }: Stage, number: number, ms: number): Promise<void> {
  const node = kafka.node(number);
  return away(
    () => node.kill(),
    ms,
    () => node.restart(),
  );
}

async function away(end: () => Promise<void>, ms: number, comeBack: () => Promise<void>): Promise<void> {
  await end();
  await delay(ms);
  await comeBack();
}
