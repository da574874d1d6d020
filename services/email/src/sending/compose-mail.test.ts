import { describe, expect, it } from 'vitest';
import { receiptMail } from './compose-mail.js';

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
