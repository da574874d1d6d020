/** One order's part of the revenue, as the database gives it: `totalKobo` is a decimal string. */
export interface Amount {
  readonly day: string;
  readonly channel: string;
  readonly totalKobo: string;
}

export interface Sum {
  readonly day: string;
  readonly channel: string;
  readonly totalKobo: bigint;
  readonly orders: bigint;
}

/** The UTC date of a moment, YYYY-MM-DD. */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10);

/** One sum per day and channel, in the order in which every transaction has to write them. */
export function sumByDayAndChannel(added: readonly Amount[], takenBack: readonly Amount[]): Sum[] {
  const sums = new Map<string, Sum>();
  const count = ({ day, channel, totalKobo }: Amount, sign: 1n | -1n) => {
    const key = `${day} ${channel}`;
    const sum = sums.get(key) ?? { day, channel, totalKobo: 0n, orders: 0n };
    sums.set(key, { ...sum, totalKobo: sum.totalKobo + sign * BigInt(totalKobo), orders: sum.orders + sign });
  };
  for (const amount of added) count(amount, 1n);
  for (const amount of takenBack) count(amount, -1n);
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
