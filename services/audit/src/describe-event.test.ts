import { events, type EventEnvelope, readPayload } from '@shopflow/contracts';
import { readFixtures } from '@shopflow/contracts/fixtures';
import { describe, expect, it } from 'vitest';
import { auditedEvents, type AuditedEvent, describeEvent, invoiceOf } from './describe-event.js';

const eventOf = (type: string, payload: unknown) => ({ type, payload }) as Partial<EventEnvelope> as AuditedEvent;
const sentence = (type: string, payload: object) => describeEvent(eventOf(type, { orderId: 'ORD-1001', ...payload }));
const ofInvoice = (type: string, payload: object = {}) => sentence(type, { number: 'INV-0001', ...payload });

describe('describeEvent', () => {
  it('says in one sentence what happened to an order', () => {
    expect(sentence('order.created', {})).toBe('order ORD-1001 created');
    expect(sentence('order.contact-updated', {})).toBe('order ORD-1001 contact updated');
    expect(sentence('order.cancelled', { reason: null })).toBe('order ORD-1001 cancelled');
    expect(sentence('order.cancelled', { reason: 'changed her mind' })).toBe('order ORD-1001 cancelled: changed her mind');
  });

  it('says what happened to an invoice', () => {
    expect(ofInvoice('invoice.issued')).toBe('invoice INV-0001 issued');
    expect(ofInvoice('invoice.corrected')).toBe('invoice INV-0001 corrected');
    expect(ofInvoice('invoice.delivered', { kind: 'invoice' })).toBe('invoice INV-0001 delivered');
    expect(ofInvoice('invoice.delivery-failed', { reason: 'no amount' })).toBe('invoice INV-0001 not delivered: no amount');
    expect(ofInvoice('invoice.paid')).toBe('invoice INV-0001 paid');
    expect(ofInvoice('invoice.voided')).toBe('invoice INV-0001 voided');
    expect(ofInvoice('reminder.raised')).toBe('reminder of invoice INV-0001 raised');
  });

  it('says what an e-mail is about: the order of a receipt, else the invoice, which may have no order', () => {
    const receipt = { kind: 'receipt', number: null };
    expect(sentence('email.started', receipt)).toBe('receipt e-mail for order ORD-1001 started');
    expect(sentence('email.sent', receipt)).toBe('receipt e-mail for order ORD-1001 sent');
    expect(sentence('email.failed', { ...receipt, reason: 'no such mailbox' })).toBe(
      'receipt e-mail for order ORD-1001 failed: no such mailbox',
    );
    expect(ofInvoice('email.sent', { kind: 'invoice' })).toBe('invoice e-mail for invoice INV-0001 sent');
    expect(ofInvoice('email.started', { kind: 'reminder', orderId: null })).toBe('reminder e-mail for invoice INV-0001 started');
    expect(ofInvoice('email.failed', { kind: 'invoice', reason: 'refused' })).toBe('invoice e-mail for invoice INV-0001 failed: refused');
  });

  it.each(events.flatMap((contract) => readFixtures(contract).map((fixture) => [contract, fixture] as const)))(
    'has a sentence for everything that was ever published: $0.type $1.file',
    (contract, { version, payload }) => {
      const event = eventOf(contract.type, readPayload(contract, version, payload));
      expect(describeEvent(event)).toMatch(/^[a-z].* (ORD|INV)-\d{4} /);
      expect(describeEvent(event)).not.toMatch(/undefined|null/);
    },
  );
});

describe('invoiceOf', () => {
  it('is the number of the invoice, or null for what is about none', () => {
    expect(invoiceOf(eventOf('invoice.paid', { orderId: null, number: 'INV-0004' }))).toBe('INV-0004');
    expect(invoiceOf(eventOf('email.sent', { orderId: 'ORD-1001', number: null }))).toBeNull();
    expect(invoiceOf(eventOf('order.created', { orderId: 'ORD-1001' }))).toBeNull();
  });
});

describe('auditedEvents', () => {
  it('leaves no event of ShopFlow out', () => {
    expect(auditedEvents.map(({ type }) => type).sort()).toEqual(events.map(({ type }) => type).sort());
  });
});
