import type { Latency } from '../relay/measurement.js';
import type { RetentionResult } from './measure-retention.js';

/** The latency while old events are deleted, over the mean of before and after. */
function ratio({ before, during, after }: RetentionResult, pick: (latency: Latency) => number): number | null {
  if (before === undefined || during === undefined || after === undefined) return null;
  return pick(during) / ((pick(before) + pick(after)) / 2);
}

const ratiosOf = (result: RetentionResult) => ({
  p50DuringOverWithout: ratio(result, ({ p50Ms }) => p50Ms),
  p99DuringOverWithout: ratio(result, ({ p99Ms }) => p99Ms),
});

export const jsonOf = (result: RetentionResult) => ({
  ...result,
  deletedPerSecond: result.deleted / result.seconds,
  ratios: ratiosOf(result),
});

export function tableOf(result: RetentionResult): string {
  const line = (title: string, latency: Latency | undefined) =>
    latency === undefined
      ? `${title}  no event arrived`
      : `${title}  p50 ${ms(latency.p50Ms)}  p99 ${ms(latency.p99Ms)}  max ${ms(latency.maxMs)}`;
  const { before, during, after, deleted, seconds, committed, published } = result;
  const ratios = ratiosOf(result);
  return [
    'from commit to consumer, 500 events a second',
    line('without deletions ', before),
    line('while deleting    ', during),
    line('without them again', after),
    `deleted ${deleted} rows in ${seconds.toFixed(0)} s: ${Math.round(deleted / seconds)} a second`,
    `while deleting over without: p50 ${ratios.p50DuringOverWithout?.toFixed(2)}, p99 ${ratios.p99DuringOverWithout?.toFixed(2)}`,
    `${committed} events committed, ${published} published`,
    '',
  ].join('\n');
}

const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(9);
