import { describe, expect, it } from 'vitest';
import { IncompleteDataError, invoiceMail, NotOwedError, receiptMail } from './compose-mail.js';

describe('the receipt', () => {
  it('greets a customer by name', () => {
    expect(receiptMail('ORD-1001', { email: 'ada@shop.ng', name: 'Ada' })).toEqual({
      to: 'ada@shop.ng',
      subject: 'Order ORD-1001 is confirmed',
      text: 'Hi Ada, order ORD-1001 is confirmed',
    });
  });

  it.each([null, '', '  '])('says Hello where no name is known: %j', (name) => {
    expect(receiptMail('ORD-0999', { email: 'tunde@shop.ng', name }).text).toBe('Hello, order ORD-0999 is confirmed');
  });
});

describe('an invoice and its reminder', () => {
  const invoice = {
    invoiceId: 1,
    number: 'INV-0001',
    recipient: 'accounts@mamaput.ng',
    amountKobo: 4_500_000,
    dueOn: '2026-10-01',
    settled: null,
  };

  it.each([
    ['invoice', 'Invoice INV-0001'],
    ['reminder', 'Reminder: INV-0001 is overdue'],
  ] as const)('say what is due, and by when: %s', (kind, subject) => {
    expect(invoiceMail(kind, invoice)).toEqual({
      to: 'accounts@mamaput.ng',
      subject,
      text: 'Amount due: 4,500,000 kobo, by 2026-10-01',
    });
  });

  it.each([
    ['invoice', { settled: 'void' }, NotOwedError],
    ['reminder', { settled: 'void' }, NotOwedError],
    ['reminder', { settled: 'paid' }, NotOwedError],
    ['invoice', { amountKobo: null }, IncompleteDataError],
    ['reminder', { settled: 'paid', amountKobo: null }, NotOwedError],
  ] as const)('%s with %j is not written, for a reason that names the invoice', (kind, change, fault) => {
    const write = () => invoiceMail(kind, { ...invoice, ...change });
    expect(write).toThrow(fault);
    expect(write).toThrow('INV-0001');
  });

  it('go out paid: whoever asked for the invoice gets it', () => {
    expect(invoiceMail('invoice', { ...invoice, settled: 'paid' }).subject).toBe('Invoice INV-0001');
  });
});
