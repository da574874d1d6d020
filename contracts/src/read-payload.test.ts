import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineEvent } from './contract.js';
import { orderCancelledV1 } from './order-cancelled/v1.js';
import { orderCreatedV1 } from './order-created/v1.js';
import { fromV1, orderCreatedV2 } from './order-created/v2.js';
import { fromV2, orderCreatedV3 } from './order-created/v3.js';
import { ContractError, InvalidPayloadError, InvalidVersionError, NewerVersionError, readPayload, UpcastError } from './read-payload.js';
import { topics } from './topics.js';
import { upcast, version } from './version.js';

// As of these versions, whatever is released after them.
const orderCreated = defineEvent({
  type: 'order.created',
  topic: topics.orders,
  summary: 'A customer placed an order.',
  versions: [orderCreatedV1, orderCreatedV2, orderCreatedV3],
  upcasters: [fromV1, fromV2],
});
const orderCancelled = defineEvent({ type: 'order.cancelled', topic: topics.orders, summary: '', versions: [orderCancelledV1] });

const v1 = { orderId: 'ORD-0999', email: 'tunde@shop.ng', totalKobo: 900_000 };
const v2 = { orderId: 'ORD-1001', customer: { email: 'ada@shop.ng', name: 'Ada' }, totalKobo: 2_500_000, currency: 'NGN' };
const v3 = { ...v2, channel: 'app' };

const exampleV1 = version(1, Type.Object({ orderId: Type.String() }), 'First release.');
const exampleV2 = version(2, Type.Object({ orderId: Type.String(), size: Type.Integer() }), 'Added `size`.');
const example = { type: 'example.happened', topic: topics.orders, summary: 'An example.', versions: [exampleV1, exampleV2] } as const;

const refusalOf = (read: () => unknown): ContractError => {
  try {
    read();
  } catch (error) {
    if (error instanceof ContractError) return error;
    throw error;
  }
  throw new Error('the payload was accepted');
};

describe('reading a payload of an older version', () => {
  it('takes v1 through every step and fills in only what can be derived', () => {
    expect(readPayload(orderCreated, 1, v1)).toEqual({
      orderId: 'ORD-0999',
      customer: { email: 'tunde@shop.ng', name: null },
      totalKobo: 900_000,
      currency: 'NGN',
      channel: 'unknown',
    });
  });

  it('says unknown for the channel of a v2 order, for nobody recorded it', () => {
    expect(readPayload(orderCreated, 2, v2)).toEqual({ ...v2, channel: 'unknown' });
  });

  it('hands over the latest version as it was written', () => {
    expect(readPayload(orderCreated, 3, v3)).toEqual(v3);
  });
});

describe('dropping what the contract does not promise', () => {
  it('drops unknown fields at every depth', () => {
    const chatty = { ...v3, coupon: 'X', customer: { ...v3.customer, phone: '0800', nested: { deep: true } } };
    expect(readPayload(orderCreated, 3, chatty)).toEqual(v3);
  });

  it('drops fields of an old version that no later version knows', () => {
    expect(readPayload(orderCreated, 1, { ...v1, coupon: 'X' })).not.toHaveProperty('coupon');
  });

  it('leaves the payload that it was given as it is', () => {
    const given = Object.freeze({ ...v3, customer: Object.freeze({ ...v3.customer }), coupon: 'X' });
    expect(readPayload(orderCreated, 3, given)).not.toBe(given);
    expect(given).toHaveProperty('coupon', 'X');
  });
});

describe('refusing a payload', () => {
  it.each([
    ['a newer version', () => readPayload(orderCreated, 4, v3), NewerVersionError, 'order.created v4 is newer than this code (v3)', true],
    ['version 0', () => readPayload(orderCreated, 0, v3), InvalidVersionError, 'order.created: invalid version 0', false],
    ['a negative version', () => readPayload(orderCreated, -1, v3), InvalidVersionError, 'order.created: invalid version -1', false],
    ['half a version', () => readPayload(orderCreated, 1.5, v3), InvalidVersionError, 'order.created: invalid version 1.5', false],
    ['no number', () => readPayload(orderCreated, Number('two'), v3), InvalidVersionError, 'order.created: invalid version NaN', false],
    [
      'an endless number',
      () => readPayload(orderCreated, Infinity, v3),
      InvalidVersionError,
      'order.created: invalid version Infinity',
      false,
    ],
    ['v1 labelled v2', () => readPayload(orderCreated, 2, v1), InvalidPayloadError, 'order.created v3: invalid customer.email', false],
    ['v1 labelled v3', () => readPayload(orderCreated, 3, v1), InvalidPayloadError, 'order.created v3: invalid customer.email', false],
    [
      'a v1 without an address',
      () => readPayload(orderCreated, 1, { ...v1, email: undefined }),
      InvalidPayloadError,
      'order.created v3: invalid customer.email',
      false,
    ],
    [
      'a negative total',
      () => readPayload(orderCreated, 3, { ...v3, totalKobo: -5 }),
      InvalidPayloadError,
      'order.created v3: invalid totalKobo',
      false,
    ],
    [
      'another currency',
      () => readPayload(orderCreated, 3, { ...v3, currency: 'USD' }),
      InvalidPayloadError,
      'order.created v3: invalid currency',
      false,
    ],
    [
      'an unheard-of channel',
      () => readPayload(orderCreated, 3, { ...v3, channel: 'fax' }),
      InvalidPayloadError,
      'order.created v3: invalid channel',
      false,
    ],
    [
      'a missing reason',
      () => readPayload(orderCancelled, 1, { orderId: 'ORD-1' }),
      InvalidPayloadError,
      'order.cancelled v1: invalid reason',
      false,
    ],
  ])('names %s', (_what, read, type, message, heals) => {
    const refusal = refusalOf(read);
    expect(refusal).toBeInstanceOf(type);
    expect(refusal).toMatchObject({ name: type.name, message, heals });
  });

  it('lists every bad field, in the order of the schema', () => {
    const refusal = refusalOf(() => readPayload(orderCreated, 3, { orderId: 'X-1', customer: null, totalKobo: '5', channel: 'web' }));
    expect(refusal).toMatchObject({ fields: ['orderId', 'customer.email', 'customer.name', 'totalKobo', 'currency'] });
  });

  it('names the version that nobody wrote an upcaster for, and does not expect it to heal', () => {
    const refusal = refusalOf(() => readPayload(defineEvent(example), 1, { orderId: 'ORD-1' }));
    expect(refusal).toBeInstanceOf(UpcastError);
    expect(refusal).toMatchObject({ message: 'no upcaster from example.happened v1', heals: false });
  });

  it('names the upcaster that threw, with its reason and cause', () => {
    const cause = new RangeError('no size');
    const throwing = upcast(exampleV1, exampleV2, () => {
      throw cause;
    });
    const refusal = refusalOf(() => readPayload(defineEvent({ ...example, upcasters: [throwing] }), 1, { orderId: 'ORD-1' }));
    expect(refusal).toBeInstanceOf(UpcastError);
    expect(refusal).toMatchObject({ message: 'upcaster from example.happened v1 failed: no size', heals: false, cause });
  });
});

describe('reading what a hostile or broken producer wrote', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  const payloads: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['no number', Number.NaN],
    ['a text', 'order'],
    ['true', true],
    ['an empty list', []],
    ['a list of orders', [v1, v3]],
    ['an empty object', {}],
    ['an object without a prototype', Object.create(null)],
    ['a date', new Date(0)],
    ['1e400 as the total', JSON.parse(`{"orderId":"ORD-1","email":"a@b","totalKobo":1e400}`)],
    ['a nested list as the customer', { ...v3, customer: [[v3.customer]] }],
    ['5,000 levels of nesting', nested(5_000)],
    ['5,000 levels of nesting in a field', { ...v3, orderId: nested(5_000) }],
    ['a __proto__ key with the missing fields', JSON.parse(`{"__proto__":${JSON.stringify({ ...v3, ...v1 })}}`)],
    ['a constructor key', JSON.parse('{"constructor":{"prototype":{"orderId":"ORD-1"}}}')],
  ];

  it.each(payloads)('refuses %s with a ContractError in every version', (_what, payload) => {
    for (const number of [1, 2, 3]) expect(refusalOf(() => readPayload(orderCreated, number, payload))).toBeInstanceOf(ContractError);
  });

  it('neither obeys nor passes on a __proto__ key in a good payload', () => {
    const payload: unknown = JSON.parse(`{"__proto__":{"admin":true},${JSON.stringify(v3).slice(1)}`);
    const read = readPayload(orderCreated, 3, payload);
    expect(Object.keys(read)).toEqual(Object.keys(v3));
    expect(read).not.toHaveProperty('admin');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('is not slowed down by a field of a million characters', () => {
    const started = performance.now();
    const email = '@'.repeat(1_000_000);
    readPayload(orderCreated, 3, { ...v3, customer: { email, name: email } });
    refusalOf(() => readPayload(orderCreated, 3, { ...v3, customer: { email: `${email}\u0000`, name: null } }));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
