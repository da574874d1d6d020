import { UsageError } from './usage-error.js';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const AGO = /^(\d{1,6})([smhd])$/;
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** A point in time: ISO 8601 (UTC where it says no zone) or how long ago, such as `2h` or `3d`. @throws UsageError naming the option */
export function readTime(option: string, text: string, now: Date): Date {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (unit !== undefined) return new Date(now.getTime() - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]);
  const time = new Date(/T.*(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`);
  if (ISO.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(`--${option} ${text} is no time; wanted: 2026-11-30, 2026-11-30T10:00:00Z, or how long ago: 90s, 15m, 2h, 3d`);
}
