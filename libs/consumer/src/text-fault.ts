import { isStorable } from '@shopflow/database';

/** Text of a record longer than this, in bytes, is refused: ids and the like end up in indexes. */
const MAX_BYTES = 200;

/** Why a text that came with a record cannot be used, or undefined. Handlers store such texts; the database would refuse them each time. */
export function textFault(name: string, text: string, maxBytes = MAX_BYTES): string | undefined {
  // One UTF-16 unit takes three bytes at most, so short texts need no counting.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) return `${name} is longer than ${maxBytes} bytes`;
  if (isStorable(text)) return undefined;
  return text.includes('\0') ? `${name} contains NUL` : `${name} contains half a surrogate pair`;
}
