import { type EventContract, orderCancelled } from '@shopflow/contracts';
import { expect, it } from 'vitest';
import { checkPayload, MAX_PAYLOAD_BYTES } from './check-event.js';

/** A contract whose own limits would let anything through. */
const lenient: EventContract = {
  ...orderCancelled,
  payload: { ...orderCancelled.payload, invalidFields: () => [], unknownFields: () => [] },
};

it('refuses a payload that with key and headers would not fit a topic', () => {
  const fits = { orderId: 'ORD-1', reason: 'x'.repeat(MAX_PAYLOAD_BYTES - 100) };
  expect(checkPayload(lenient, fits)).toBe(JSON.stringify(fits));
  const tooLarge = { orderId: 'ORD-1', reason: 'é'.repeat(MAX_PAYLOAD_BYTES / 2) };
  expect(() => checkPayload(lenient, tooLarge)).toThrow(/^order\.cancelled v1: payload of 524319 bytes; at most 524288 are published/);
});

it('names an unstorable text at every depth', () => {
  const payload = { orderId: 'ORD-1', lines: [{ note: 'fine' }, { note: 'a\0b' }], ['k\0']: 1 };
  expect(() => checkPayload(lenient, payload)).toThrow('unstorable lines.1.note, k\0');
});
