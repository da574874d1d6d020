import type { RawHeaders } from './headers.js';

/**
 * Headers as they were written. kafkajs gathers them in a plain object and takes a name of Object.prototype (`toString`,
 * `__proto__`) for a header that is there already: its value then comes in an array, behind something that is no header.
 */
export function readHeaders(headers: RawHeaders | undefined): RawHeaders {
  if (headers === undefined) return {};
  for (const name of Object.keys(headers)) if (Array.isArray(headers[name])) return onlyValues(headers);
  return headers;
}

/** Own properties throughout, `__proto__` too, which an assignment would not make. */
function onlyValues(headers: RawHeaders): RawHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      const values = value.filter((each) => each === null || typeof each === 'string' || Buffer.isBuffer(each));
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
