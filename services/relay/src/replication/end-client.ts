import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const PATIENCE_MS = 500;

/** The socket below a client; pg keeps it to itself. */
export const socketOf = (client: Client): Socket => (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Ends a connection; one whose server does not answer any more is cut. */
export async function endClient(client: Client): Promise<void> {
  const impatient = new AbortController();
  const ended = client.end().then(() => impatient.abort());
  await Promise.race([ended, delay(PATIENCE_MS, undefined, { signal: impatient.signal }).catch(() => {})]);
  socketOf(client).destroy();
}
