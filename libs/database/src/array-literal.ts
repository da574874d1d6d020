/** JSON writes these as `\n` or `\u0001`; in an array literal a backslash only says that the next character is meant. */
const CONTROL = /[\u0000-\u001f]/;

/**
 * An array as PostgreSQL reads it, or undefined where node-postgres has to do it: for dates, buffers and arrays in arrays.
 * Quotes and backslashes are escaped alike in JSON and in array literals, so one call of `JSON.stringify` writes the whole
 * array; node-postgres goes through each element several times. Objects become JSON, undefined becomes NULL.
 */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  const elements: unknown[] = [];
  for (const value of values) {
    const element = value !== null && typeof value === 'object' ? jsonOf(value) : value;
    if (!isPlain(element)) return undefined;
    elements.push(element);
  }
  return `{${JSON.stringify(elements).slice(1, -1)}}`;
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !CONTROL.test(value);
  return value === null || value === undefined || typeof value === 'boolean' || Number.isFinite(value);
}

/** What node-postgres does not write as JSON comes back as it is. */
function jsonOf(value: object): unknown {
  const special = value instanceof Date || ArrayBuffer.isView(value) || Array.isArray(value) || 'toPostgres' in value;
  return special ? value : JSON.stringify(value);
}
