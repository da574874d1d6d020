/** An invoice of an old system, as the API imports it: whatever it had. */
export interface OldInvoice {
  readonly number: string;
  readonly customerEmail: string;
  readonly amountKobo?: number;
  readonly dueOn: string;
}

/** No provider will ever deliver to its address. */
export const REFUSED = 'INV-0003';
/** Nothing can be written about its amount before somebody sets it. */
export const INCOMPLETE = 'INV-0004';

const DUE = '2026-10-30';
const FIRST_BUYER = 5;
const BUYERS = 10;

/** Fourteen, two of them broken. */
export const oldInvoices: readonly OldInvoice[] = [
  { number: 'INV-0001', customerEmail: 'accounts@mamaput.ng', amountKobo: 4_500_000, dueOn: '2026-10-01' },
  { number: 'INV-0002', customerEmail: 'finance@gracehotel.ng', amountKobo: 1_200_000, dueOn: DUE },
  { number: REFUSED, customerEmail: 'not-an-email', amountKobo: 800_000, dueOn: DUE },
  { number: INCOMPLETE, customerEmail: 'ops@lagostaxi.ng', dueOn: DUE },
  ...Array.from({ length: BUYERS }, (_, index) => buyersInvoice(index + FIRST_BUYER)),
];

function buyersInvoice(n: number): OldInvoice {
  return { number: `INV-${String(n).padStart(4, '0')}`, customerEmail: `buyer${n}@example.ng`, amountKobo: 100_000 * n, dueOn: DUE };
}
