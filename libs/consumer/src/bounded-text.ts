/** Longest reason that is kept, in bytes: it travels in headers. */
const MAX_REASON_BYTES = 1024;

/** Text that PostgreSQL and a header can hold: without NUL and half surrogate pairs, cut at a whole character. */
export function boundedText(text: string, maxBytes = MAX_REASON_BYTES): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\uFFFD');
  const bytes = Buffer.from(clean);
  if (bytes.length <= maxBytes) return clean;
  let end = maxBytes;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}
