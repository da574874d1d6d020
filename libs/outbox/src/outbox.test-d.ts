import { type EventContract, orderCancelled } from '@shopflow/contracts';
import type { Transaction } from '@shopflow/database';
import type { Outbox } from './outbox.js';

declare const outbox: Outbox;
declare const tx: Transaction;
declare const anyContract: EventContract;

void outbox.append(tx, orderCancelled, { orderId: 'ORD-1', reason: null });
void outbox.append(tx, anyContract, { orderId: 'ORD-1' });

// @ts-expect-error a field that the contract lacks
void outbox.append(tx, orderCancelled, { orderId: 'ORD-1', reason: null, coupon: 'X' });
// @ts-expect-error a field that the contract wants is missing
void outbox.append(tx, orderCancelled, { orderId: 'ORD-1' });
// @ts-expect-error an EntityManager without a transaction
void outbox.append({} as Transaction['connection']['manager'], orderCancelled, { orderId: 'ORD-1', reason: null });
