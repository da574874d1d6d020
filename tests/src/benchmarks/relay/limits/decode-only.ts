// The limit of reading: takes the slot's stream, finds where each value of a row begins and ends, and throws it away. Nothing is ever acknowledged.
import type { Socket } from 'node:net';
import { Client } from 'pg';
import { countInserts } from './count-inserts.js';
import { answer, cpuSecondsSince, type LimitReport, limitSettings } from './limit.js';

const { databaseUrl, slots, rows } = limitSettings();
const PUBLICATION = 'shopflow_outbox';
const GULP_BYTES = 16 * 1024;
const PAUSE_MS = 0.1;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

answer(async (backlog) => {
  const client = new Client({
    connectionString: databaseUrl,
    options: '-c wal_sender_timeout=0',
    replication: 'database',
  } as ConstructorParameters<typeof Client>[0]);
  client.on('error', () => {}); // the stream is cut in its middle
  await client.connect();
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
  try {
    return await read(socket, slots[backlog]!);
  } finally {
    socket.destroy();
  }
});

function read(socket: Socket, slot: string): Promise<LimitReport> {
  const { promise, resolve, reject } = Promise.withResolvers<LimitReport>();
  const before = process.cpuUsage();
  let began: number | undefined;
  let events = 0;
  const count = countInserts(() => {
    began ??= performance.now();
    events += 1;
  });
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    count(chunk);
    if (chunk.length < GULP_BYTES) Atomics.wait(NOTHING, 0, 0, PAUSE_MS); // as the relay does: docs/adr/0011-reading-in-gulps.md
    if (events >= rows) resolve({ events, seconds: (performance.now() - began!) / 1_000, cpuSeconds: cpuSecondsSince(before) });
  });
  socket.on('close', () => reject(new Error(`slot ${slot} brought ${events} rows of ${rows}, then its stream ended`)));
  socket.write(query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names '${PUBLICATION}')`));
  return promise;
}

function query(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.from('Q    ');
  head.writeUInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}
