import { setTimeout as delay } from 'node:timers/promises';
import { type Evidence, readDeliveries } from './evidence.js';
import { agree } from './judge.js';
import type { Shop } from './shop.js';

const LOOK_MS = 500;
/** Without any change for so long nothing more is expected: longer than the longest lease and pause. */
const PATIENCE_MS = 60_000;

/** Waits until every delivery is sent or dead and both services agree; what is missing then shows in the verdict. */
export async function settle(shop: Shop, signal: AbortSignal): Promise<void> {
  for (let before = -1, since = Date.now(); Date.now() - since < PATIENCE_MS; await delay(LOOK_MS)) {
    signal.throwIfAborted();
    const open = await readDeliveries(shop).then(countOpen, () => Infinity);
    if (open === 0) return;
    if (open !== before) since = Date.now();
    before = open;
  }
}

function countOpen({ shown, ledger }: Pick<Evidence, 'shown' | 'ledger'>): number {
  const rows = new Map(ledger.map((row) => [row.id, row]));
  const isOpen = (delivery: Evidence['shown'][number]) => {
    const row = rows.get(`delivery-${delivery.deliveryId}`);
    return row === undefined || !['sent', 'dead'].includes(row.status) || !agree(delivery, row);
  };
  return shown.filter(isOpen).length;
}
