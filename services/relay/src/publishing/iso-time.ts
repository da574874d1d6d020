const SPACE = 0x20;
const DOT = 0x2e;
const ZERO = 0x30;
const [T, Z] = [0x54, 0x5a];
const DATE_AND_TIME = '2026-01-31 12:00:00'.length;
const OFFSET = '+00'.length;
const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;
const MILLIS = 3;

/** Bytes of `2026-01-31T12:00:00.500Z`. */
export const ISO_BYTES = 24;

/** An event's time that cannot be written as it must be: of a year beyond 9999 or before 1000, say, or `infinity`. */
export class TimeError extends Error {
  constructor(readonly text: string) {
    super(`created_at ${text} is no time of the years 0001 to 9999 in UTC`);
    this.name = 'TimeError';
  }
}

/**
 * Writes a time as PostgreSQL prints UTC, `2026-01-31 12:00:00.5+00`, in the form of ISO 8601 with milliseconds.
 *
 * @throws TimeError
 */
export function writeIsoTime(target: Buffer, at: number, source: Buffer, start: number, end: number): void {
  assertUtc(source, start, end);
  for (let i = 0; i < DATE_AND_TIME; i++) target[at + i] = source[start + i]!;
  target[at + 10] = T;
  at += DATE_AND_TIME;
  target[at++] = DOT;
  const digits = start + DATE_AND_TIME + 1;
  for (let i = 0; i < MILLIS; i++) target[at++] = digits + i < end - OFFSET ? source[digits + i]! : ZERO;
  target[at] = Z;
}

/** The expression decides; the quick look spares it to the usual row. */
export function assertUtc(source: Buffer, start: number, end: number): void {
  const length = end - start;
  const usual =
    length >= DATE_AND_TIME + OFFSET && length <= DATE_AND_TIME + OFFSET + 7 && source[start + 10] === SPACE && source[start + 4] === 0x2d;
  if (usual && source[end - 3] === 0x2b && source[end - 2] === ZERO && source[end - 1] === ZERO) return;
  const text = source.toString('latin1', start, end);
  if (!UTC.test(text)) throw new TimeError(text);
}
