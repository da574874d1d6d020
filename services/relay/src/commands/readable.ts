/** `0.4 s`, `12 s`, `3 min`, `5.2 h`, `12 d`: what a person takes in at a glance. */
export function readableSeconds(seconds: number): string {
  if (seconds < 10) return `${Math.max(seconds, 0).toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3_600).toFixed(1)} h` : `${Math.round(seconds / 86_400)} d`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `512 B`, `1.4 MB`: powers of 1,000. */
export function readableBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const amount = bytes / 1_000 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
