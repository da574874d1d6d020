import { events, type EventEnvelope } from '@shopflow/contracts';
import { describe, expect, it } from 'vitest';
import { auditedEvents, type AuditedEvent, describeEvent } from './describe-event.js';

const sentence = (type: string, payload: object) =>
  describeEvent({ type, payload: { orderId: 'ORD-1001', ...payload } } as Partial<EventEnvelope> as AuditedEvent);

describe('describeEvent', () => {
  it('says in one sentence what happened', () => {
    expect(sentence('order.created', {})).toBe('order ORD-1001 created');
    expect(sentence('order.contact-updated', {})).toBe('order ORD-1001 contact updated');
    expect(sentence('order.cancelled', { reason: null })).toBe('order ORD-1001 cancelled');
    expect(sentence('order.cancelled', { reason: 'changed her mind' })).toBe('order ORD-1001 cancelled: changed her mind');
    expect(sentence('email.started', { kind: 'receipt' })).toBe('receipt e-mail for order ORD-1001 started');
    expect(sentence('email.sent', { kind: 'receipt' })).toBe('receipt e-mail for order ORD-1001 sent');
    expect(sentence('email.failed', { kind: 'receipt', reason: 'no such mailbox' })).toBe(
      'receipt e-mail for order ORD-1001 failed: no such mailbox',
    );
  });
});

describe('auditedEvents', () => {
  it('leaves no event of ShopFlow out', () => {
    expect(auditedEvents.map(({ type }) => type).sort()).toEqual(events.map(({ type }) => type).sort());
  });
});
