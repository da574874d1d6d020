import { expect, it } from 'vitest';
import { assignBySubscription } from './subscription-assigner.js';

const six = () => [0, 1, 2, 3, 4, 5];
const member = (memberId: string, ...topics: string[]) => ({ memberId, topics });
const assigned = (...args: Parameters<typeof assignBySubscription>) => Object.fromEntries(assignBySubscription(...args));

it('shares the partitions out evenly', () => {
  expect(assigned([member('b', 'orders'), member('a', 'orders')], six)).toEqual({ a: { orders: [0, 2, 4] }, b: { orders: [1, 3, 5] } });
});

it('gives a topic only to members that subscribe to it, as during a deploy that adds one', () => {
  const old = member('old', 'orders');
  const renewed = member('renewed', 'emails', 'orders');
  expect(assigned([old, renewed], six)).toEqual({ old: { orders: six() }, renewed: { emails: six() } });
});

it('loads all members alike, whatever the topics are called', () => {
  const old = member('old', 'a');
  const renewed = member('renewed', 'a', 'b');
  const partitions = (topic: string) => (topic === 'a' ? [0, 1, 2, 3] : [0, 1]);
  expect(assigned([old, renewed], partitions)).toEqual({ old: { a: [0, 1, 2] }, renewed: { b: [0, 1], a: [3] } });
});

it('gives every partition to exactly one member, with more members than partitions too', () => {
  const members = ['a', 'b', 'c'].map((id) => member(id, 'orders'));
  expect(assigned(members, () => [0, 1])).toEqual({ a: { orders: [0] }, b: { orders: [1] }, c: {} });
});
