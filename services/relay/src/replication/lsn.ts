/** A position in the write-ahead log. `X/Y` in SQL, 64 bits on the wire. */
export type Lsn = bigint;

/** As SQL writes it: `16/B374D848`. */
export const formatLsn = (lsn: Lsn): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;

export function parseLsn(text: string): Lsn {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
