import { createServer, type AddressInfo } from 'node:net';
import { PortTakenError } from './servers-error.js';

/** Everything that we start listens here and nowhere else. */
export const LOOPBACK = '127.0.0.1';

/** A port that nothing listens on at the moment. */
export const freePort = (): Promise<number> => listenOnce(0);

/** @throws PortTakenError naming the port, who wants it and the environment variable that changes it */
export async function assertPortFree(port: number, wantedBy: string, variable?: string): Promise<void> {
  await listenOnce(port).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new PortTakenError(port, wantedBy, variable) : error;
  });
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}
