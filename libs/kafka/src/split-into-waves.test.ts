import { expect, it } from 'vitest';
import type { Message } from './produce-message.js';
import { splitIntoWaves } from './split-into-waves.js';

const message = (partition: number, bytes: number, name = ''): Message => ({
  topic: 't',
  partition,
  bytes,
  key: Buffer.from(name),
  value: undefined,
  headers: new Map(),
});
const names = (waves: Message[][]) => waves.map((wave) => wave.map(({ key }) => String(key)).join(''));

it('sends everything at once as long as it fits a partition', () => {
  expect(names(splitIntoWaves([message(0, 40, 'a'), message(0, 40, 'b'), message(1, 20, 'c')], 100))).toEqual(['abc']);
});

it('spreads a hot partition over sends in its order, the others go with the first', () => {
  const hot = ['a', 'b', 'c', 'd', 'e'].map((name) => message(0, 40, name));
  expect(names(splitIntoWaves([...hot, message(1, 40, 'z')], 100))).toEqual(['abz', 'cd', 'e']);
});

it('lets a message that is larger than the limit go alone, and never leaves a send empty', () => {
  expect(names(splitIntoWaves([message(0, 500, 'a'), message(0, 10, 'b'), message(0, 500, 'c')], 100))).toEqual(['a', 'b', 'c']);
});
