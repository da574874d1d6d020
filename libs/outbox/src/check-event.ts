import type { EventContract } from '@shopflow/contracts';
import { isStorable } from '@shopflow/database';
import { EventRefusedError } from './event-refused.js';

/** JSON of a payload at most, in bytes; jsonb writes it somewhat longer, and with key and headers it fits a topic's 1 MiB. */
export const MAX_PAYLOAD_BYTES = 512 * 1024;
/** Ids and keys at most, in bytes: what consumers and the outbox table accept. */
export const MAX_ID_BYTES = 200;

/**
 * Checks a payload against the latest version of its contract and against what PostgreSQL and Kafka can carry.
 *
 * @returns the payload's JSON
 * @throws EventRefusedError naming every field at fault
 */
export function checkPayload(contract: EventContract, payload: unknown): string {
  const named = `${contract.type} v${contract.latest.number}`;
  refuse(named, 'invalid', contract.payload.invalidFields(payload), 'correct what the producer puts there');
  refuse(named, 'unknown', contract.payload.unknownFields(payload), 'leave it out, or release a version of the contract that has it');
  refuse(named, 'unstorable', unstorableFields(payload), 'PostgreSQL stores neither NUL nor half a surrogate pair in text');
  const json = JSON.stringify(payload);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_PAYLOAD_BYTES) {
    throw new EventRefusedError(named, [], `payload of ${bytes} bytes`, `at most ${MAX_PAYLOAD_BYTES} are published; refer to large data`);
  }
  return json;
}

/** @throws EventRefusedError when the text is empty, too long, or cannot be stored */
export function checkId(type: string, option: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes >= 1 && bytes <= MAX_ID_BYTES && isStorable(text)) return;
  throw new EventRefusedError(type, [option], `invalid ${option} of ${bytes} bytes`, `give 1 to ${MAX_ID_BYTES} bytes without NUL`);
}

function refuse(type: string, what: string, fields: readonly string[], remedy: string): void {
  if (fields.length > 0) throw new EventRefusedError(type, fields, `${what} ${fields.join(', ')}`, remedy);
}

function unstorableFields(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return isStorable(name) ? unstorableFields(inner, here) : [here];
  });
}
