export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** The pause after the nth failure in a row (n from 1): doubling, up to a limit. */
export const backoffMs = ({ firstMs, mostMs }: Backoff, failures: number): number => Math.min(mostMs, firstMs * 2 ** (failures - 1));
