import { setTimeout as delay } from 'node:timers/promises';
import { getJson } from './http-json.js';
import type { System } from './system.js';

// Asks every service over its API, as anybody would who wants to know what became of an order.

interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly customer: { readonly email: string };
  readonly totalKobo: number;
  readonly channel: string;
}

interface Delivery {
  readonly kind: 'receipt' | 'invoice' | 'reminder';
  /** Of the invoice; null for a receipt. */
  readonly number: string | null;
  readonly status: 'queued' | 'running' | 'sent' | 'dead';
  readonly attempts: number;
  readonly lastError: string | null;
}

export interface WhatBecameOf {
  readonly order: Order;
  /** Undefined while the email service has not heard of the order. */
  readonly receipt: Delivery | undefined;
  /** The e-mail with its invoice; undefined unless somebody asked for it. */
  readonly invoice: Delivery | undefined;
  readonly auditLines: readonly string[];
}

export interface DeadLetter {
  readonly consumer: string;
  readonly eventId: string;
  readonly attempts: number;
  readonly reason: string;
}

export interface Revenue {
  readonly totalKobo: string;
  readonly orders: number;
}

type Urls = Pick<System, 'urls'>['urls'];

const PAUSE_MS = 100;
const PATIENCE_MS = 30_000;

export async function whatBecameOf(urls: Urls, orderId: string): Promise<WhatBecameOf> {
  const [order, deliveries, { entries }] = await Promise.all([
    getJson<Order>(`${urls.orders}/orders/${orderId}`),
    getJson<Delivery[]>(`${urls.email}/deliveries?orderId=${orderId}`),
    getJson<{ entries: { line: string }[] }>(`${urls.audit}/audit?orderId=${orderId}`),
  ]);
  const [receipt, invoice] = (['receipt', 'invoice'] as const).map((wanted) => deliveries.find(({ kind }) => kind === wanted));
  return { order, receipt, invoice, auditLines: entries.map(({ line }) => line) };
}

/** Looks again until the order has left nothing to wait for, or half a minute has passed: then what is known so far. */
export async function whatBecameOfInTheEnd(urls: Urls, orderId: string, signal: AbortSignal): Promise<WhatBecameOf> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const became = await whatBecameOf(urls, orderId);
    if (isOver(became) || Date.now() > deadline) return became;
    signal.throwIfAborted();
    await delay(PAUSE_MS);
  }
}

/**
 * Its e-mails are sent or given up, and that too stands in the audit log: `created`; `started` and how it ended, for each e-mail; and
 * of the invoice what was asked for, and that it was delivered or not.
 */
function isOver({ receipt, invoice, auditLines }: WhatBecameOf): boolean {
  const ended = (delivery: Delivery | undefined) => ['sent', 'dead'].includes(delivery?.status ?? '');
  return ended(receipt) && (invoice === undefined || ended(invoice)) && auditLines.length >= (invoice === undefined ? 3 : 7);
}

export const openDeadLetters = async (urls: Urls): Promise<DeadLetter[]> => getJson<DeadLetter[]>(`${urls.email}/dead-letters?state=open`);

/** The revenue of every day there ever was. */
export async function allRevenue(urls: Urls): Promise<Revenue> {
  const range = 'from=2000-01-01&to=2999-12-31';
  const { totalKobo, days } = await getJson<{ totalKobo: string; days: { orders: number }[] }>(`${urls.analytics}/revenue?${range}`);
  return { totalKobo, orders: days.reduce((sum, day) => sum + day.orders, 0) };
}
