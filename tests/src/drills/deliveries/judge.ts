import type { Evidence, Ledgered, Shown } from './evidence.js';

export interface Verdict {
  readonly promise: string;
  /** What broke it, for people. */
  readonly violations: readonly string[];
}

const AT_ONCE = 5;
const isOver = (status: string): boolean => status === 'sent' || status === 'dead';

/** Compares what was asked for with what both services hold and with what customers received. */
export const judge = (evidence: Evidence): Verdict[] => [
  { promise: 'every 202 is kept', violations: lostRequests(evidence) },
  { promise: 'every delivery ends sent or dead', violations: unfinished(evidence) },
  { promise: 'no customer gets two e-mails of one invoice', violations: doubled(evidence) },
  { promise: 'what is sent was received, and what was received was asked for', violations: unlikeInbox(evidence) },
  { promise: 'what cannot be sent is not said to be', violations: impossible(evidence) },
  { promise: 'invoices agree with deliveries', violations: disagreements(evidence) },
  {
    promise: `never more than ${AT_ONCE} at the provider`,
    violations: evidence.mostAtOnce > AT_ONCE ? [`${evidence.mostAtOnce} were there at once`] : [],
  },
  { promise: 'no process ends by itself', violations: evidence.oddEnds },
];

function lostRequests({ requests, shown, ledger }: Evidence): string[] {
  const numbers = new Map(shown.map(({ deliveryId, number }) => [deliveryId, number]));
  const owed = new Set(ledger.map(({ id }) => id));
  return requests.flatMap(({ number, accepted }) => {
    const ids = [...new Set(accepted)];
    if (ids.length > 1) return [`${number} was answered with the deliveries ${ids.join(' and ')}`];
    return ids.flatMap((id) => [
      ...(numbers.get(id) === number ? [] : [`${number}: delivery ${id} is not there`]),
      ...(owed.has(`delivery-${id}`) ? [] : [`${number}: email owes no delivery-${id}`]),
    ]);
  });
}

const unfinished = ({ shown, ledger }: Evidence): string[] => [
  ...ledger.filter(({ status }) => !isOver(status)).map(({ id, status }) => `${id} is ${status} in the ledger`),
  ...shown.filter(({ status }) => !isOver(status)).map(({ deliveryId, status }) => `delivery ${deliveryId} is shown as ${status}`),
];

function doubled({ inbox }: Evidence): string[] {
  const twice = (of: string, keyOf: (mail: Evidence['inbox'][number]) => string) =>
    [...Map.groupBy(inbox, keyOf)].filter(([, mails]) => mails.length > 1).map(([key, { length }]) => `${length} of the ${of} ${key}`);
  return [...twice('key', ({ key }) => key), ...twice('subject', ({ subject }) => subject), ...twice('recipient', ({ to }) => to)];
}

function unlikeInbox({ ledger, inbox }: Evidence): string[] {
  const received = new Map(inbox.map((mail) => [mail.key, mail]));
  const owed = new Set(ledger.map(({ id }) => id));
  const missing = ledger.filter(({ id, status, providerId }) => status === 'sent' && received.get(id)?.id !== providerId);
  return [
    ...missing.map(({ id, providerId }) => `${id} was sent as ${providerId}, and the inbox has ${received.get(id)?.id ?? 'nothing'}`),
    ...inbox.filter(({ key }) => !owed.has(key)).map(({ key }) => `the inbox has ${key}, which nobody owes`),
  ];
}

function impossible({ requests, shown }: Evidence): string[] {
  const flaws = new Map(requests.map(({ number, flaw }) => [number, flaw]));
  return shown
    .filter(({ number, status }) => status === 'sent' && flaws.get(number) !== undefined)
    .map(({ number }) => `${number} has ${flaws.get(number)} and was sent`);
}

function disagreements({ shown, ledger }: Evidence): string[] {
  const rows = new Map(ledger.map((row) => [row.id, row]));
  return shown.flatMap((delivery) => {
    const row = rows.get(`delivery-${delivery.deliveryId}`);
    return row === undefined || agree(delivery, row) ? [] : [`${row.id}: ${textOf(delivery)}; in the ledger ${JSON.stringify(row)}`];
  });
}

const textOf = (delivery: Shown): string => `shown as ${JSON.stringify(delivery)}`;

/** The invoice is `sent` when its e-mail is; otherwise it goes on waiting for a person. */
export const agree = (shown: Shown, row: Ledgered): boolean =>
  shown.number === row.number &&
  shown.status === row.status &&
  shown.attempts === row.attempts &&
  shown.providerId === row.providerId &&
  (shown.status !== 'dead' || shown.reason === row.lastError) &&
  shown.invoiceStatus === (shown.status === 'sent' ? 'sent' : 'sending');
