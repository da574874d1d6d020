import type { Logger } from '@shopflow/telemetry';
import { describe, expect, it } from 'vitest';
import { catchUpWithEvents } from './catch-up-with-events.js';

const running = new AbortController().signal;
const offsets = (committed: number | null, high: number, low = 0) => [
  { topic: 'invoices.events', partition: 0, committed, low, high },
  { topic: 'invoices.events', partition: 1, committed: null, low: 0, high: 0 },
];

/** Answers one after the other; the last one for ever. */
function catchUp(answers: (ReturnType<typeof offsets> | Error)[], patienceMs = 10_000, stopping = running) {
  const warnings: string[] = [];
  let reads = 0;
  const read = () => {
    const answer = answers[Math.min(reads++, answers.length - 1)]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const logger = { warn: (line: string) => void warnings.push(line) } as Partial<Logger> as Logger;
  return catchUpWithEvents(read, patienceMs, logger, stopping).then(() => ({ reads, warnings }));
}

describe('catching up with events', () => {
  it('goes on at once when nothing waits, also in partitions whose records have expired', async () => {
    expect(await catchUp([offsets(7, 7)])).toEqual({ reads: 1, warnings: [] });
    expect(await catchUp([offsets(null, 7, 7)])).toEqual({ reads: 1, warnings: [] });
  });

  it('waits for what was there when it began, and not for what is written since', async () => {
    expect(await catchUp([offsets(5, 7), offsets(7, 9)])).toEqual({ reads: 2, warnings: [] });
  });

  it('waits for Kafka, and goes on without it when its patience is over', async () => {
    expect(await catchUp([new Error('no broker'), offsets(7, 7)])).toEqual({ reads: 2, warnings: [] });
    const { warnings } = await catchUp([new Error('no broker')], 0);
    expect(warnings).toEqual(["not all invoices' events could be read within 0 ms; the run goes on without"]);
  });

  it('ends when the service stops', async () => {
    expect(await catchUp([offsets(5, 7)], 60_000, AbortSignal.timeout(20))).toEqual({ reads: 1, warnings: [] });
  });
});
