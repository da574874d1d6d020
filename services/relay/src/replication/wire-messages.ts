import type { Lsn } from './lsn.js';

/** Simple query. */
export function queryMessage(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  return message('Q', text);
}

export const copyData = (content: Buffer): Buffer => message('d', content);

export const TERMINATE = message('X', Buffer.alloc(0));

/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** Standby status update: written, flushed and applied up to the same position, because done means accepted by Kafka. */
export function standbyStatus(lsn: Lsn, nowMs: number): Buffer {
  const content = Buffer.alloc(34);
  content.write('r');
  for (const offset of [1, 9, 17]) content.writeBigUInt64BE(lsn, offset);
  content.writeBigInt64BE(BigInt(nowMs - POSTGRES_EPOCH_MS) * 1000n, 25);
  return content;
}

function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
