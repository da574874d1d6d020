import type { INestApplication } from '@nestjs/common';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

/** What a consumer may say about itself; a strategy that says nothing counts as well. */
interface WatchedStrategy {
  /** Rejects with the reason why it cannot work now. */
  check?(): Promise<unknown>;
  /** False when only a restart of the process helps. */
  readonly live?: boolean;
}

/** Makes the health of the service's consumer part of the service's. */
export function watchStrategy(app: INestApplication, strategy: WatchedStrategy): void {
  if (strategy.check !== undefined) app.get(Readiness).add('consumer', async () => strategy.check?.());
  if ('live' in strategy) app.get(Liveness).add('consumer', () => strategy.live !== false);
}
