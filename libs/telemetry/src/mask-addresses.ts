const ADDRESS = /([^\s@<>"'(),:;]?)[^\s@<>"'(),:;]*@([^\s@<>"'(),:;]+)/g;

/** `ada@shop.ng` becomes `a***@shop.ng`: enough to tell two customers of a line apart, too little to write to one. */
export const maskAddresses = (text: string): string => (text.includes('@') ? text.replace(ADDRESS, '$1***@$2') : text);

/** A log line's fields with every address in their texts masked, in errors too. */
export function maskFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskValue(value)]));
}

function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskAddresses(value);
  if (Array.isArray(value)) return value.map(maskValue);
  return isPlain(value) ? maskFields(value) : value;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
