import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isAlive, readIdentity, removeIdentity, ServersError, writeIdentity } from '@shopflow/servers';

/** Lets one `npm start` at a time use a namespace of this clone. @throws ServersError naming the other one */
export function takeLock(dir: string, namespace: string): { release(): void } {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'running.pid');
  const other = readIdentity(file);
  if (other && isAlive(other)) {
    throw new ServersError(
      `ShopFlow runs already in namespace ${namespace} (process ${other.pid}): stop it first, or start another with SHOPFLOW_NAMESPACE=…`,
    );
  }
  const ourselves = identify(process.pid);
  if (ourselves) writeIdentity(file, ourselves);
  return { release: () => removeIdentity(file) };
}
