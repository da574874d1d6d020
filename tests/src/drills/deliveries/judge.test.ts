import { describe, expect, it } from 'vitest';
import type { Evidence, Ledgered, Shown } from './evidence.js';
import { judge } from './judge.js';

const SHOWN: Shown = {
  deliveryId: 7,
  number: 'INV-D00001',
  status: 'sent',
  attempts: 1,
  providerId: 'msg_1',
  reason: null,
  invoiceStatus: 'sent',
};
const ROW: Ledgered = { id: 'delivery-7', number: 'INV-D00001', status: 'sent', attempts: 1, providerId: 'msg_1', lastError: null };
const MAIL = { id: 'msg_1', key: 'delivery-7', to: 'inv-d00001@example.ng', subject: 'Invoice INV-D00001', text: '' };
const KEPT: Evidence = {
  requests: [{ number: 'INV-D00001', flaw: undefined, clicks: 2, accepted: [7, 7], invoiceId: 1 }],
  shown: [SHOWN],
  ledger: [ROW],
  inbox: [MAIL],
  mostAtOnce: 5,
  oddEnds: [],
};

const broken = (change: Partial<Evidence>): string[] =>
  judge({ ...KEPT, ...change })
    .filter(({ violations }) => violations.length > 0)
    .map(({ promise }) => promise);

describe('what a drill has left', () => {
  it('keeps every promise when one e-mail of one delivery was received, and both services say so', () => {
    expect(broken({})).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, string]>([
    ['a 202 whose delivery is nowhere', { shown: [], ledger: [], inbox: [] }, 'every 202 is kept'],
    ['two deliveries of one invoice', { requests: [{ ...KEPT.requests[0]!, accepted: [7, 8] }] }, 'every 202 is kept'],
    ['a delivery that still waits', { ledger: [{ ...ROW, status: 'queued' }] }, 'every delivery ends sent or dead'],
    ['a second e-mail under another key', { inbox: [MAIL, { ...MAIL, key: 'delivery-8' }] }, 'no customer gets two e-mails of one invoice'],
    ['an e-mail that is sent and was never received', { inbox: [] }, 'what is sent was received, and what was received was asked for'],
    [
      'an invoice without an amount that was sent',
      { requests: [{ ...KEPT.requests[0]!, flaw: 'no amount' }] },
      'what cannot be sent is not said to be',
    ],
    ['another status in the ledger', { ledger: [{ ...ROW, status: 'dead', providerId: null }] }, 'invoices agree with deliveries'],
    [
      'an invoice that still waits for its sent e-mail',
      { shown: [{ ...SHOWN, invoiceStatus: 'sending' }] },
      'invoices agree with deliveries',
    ],
    ['six calls at once', { mostAtOnce: 6 }, 'never more than 5 at the provider'],
    ['a process that ended', { oddEnds: ['email-2 ended with 1'] }, 'no process ends by itself'],
  ])('breaks a promise with %s', (_, change, promise) => {
    expect(broken(change)).toContain(promise);
  });
});
