import { expect, it } from 'vitest';
import { BatchBuffers } from './batch-buffers.js';
import { ProducerIdentity } from './producer-identity.js';
import { RecordBatch } from './record-batch.js';
import { fill } from './test-support/text-record.js';

const buffers = new BatchBuffers();
const batchOf = (records: number, partition = 0) => fill(new RecordBatch('t', partition, buffers), Array<string>(records).fill('v'));
const newIdentity = () => new ProducerIdentity({ producerId: 1n, producerEpoch: 0 });

it('numbers the records of each partition, and only what is accepted counts', () => {
  const identity = newIdentity();
  expect(identity.sequenceOf(batchOf(3))).toEqual({ producerId: 1n, producerEpoch: 0, first: 0 });
  identity.accepted(batchOf(3));
  expect(identity.sequenceOf(batchOf(1)).first).toBe(3);
  expect(identity.sequenceOf(batchOf(1, 1)).first).toBe(0);
});

it('begins at 0 again behind 2147483647, as the broker expects', () => {
  const identity = newIdentity();
  (identity['next'] as Map<string, number>).set('t:0', 2 ** 31 - 2);
  identity.accepted(batchOf(3));
  expect(identity.sequenceOf(batchOf(1)).first).toBe(1);
});

it('fits only the batch that may be written already, as it was, until it is accepted', () => {
  const identity = newIdentity();
  const batch = batchOf(2);
  identity.doubt(batch);
  expect([identity.fits(batch), identity.fits(batchOf(2)), identity.fits(batchOf(2, 1))]).toEqual([true, false, true]);
  fill(batch, ['more']);
  expect(identity.fits(batch)).toBe(false);
  identity.accepted(batch);
  expect(identity.fits(batchOf(2))).toBe(true);
});
