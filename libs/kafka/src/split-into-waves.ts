import type { Message } from './produce-message.js';

/** Half of a topic's default limit for one batch (1 MiB). */
const MAX_PARTITION_BYTES = 512_000;

/**
 * Splits messages into sends that follow one another, each with at most {@link MAX_PARTITION_BYTES} for a partition; a
 * message that is larger goes alone. Within a partition the order stays.
 */
export function splitIntoWaves(messages: readonly Message[], limit = MAX_PARTITION_BYTES): Message[][] {
  let total = 0;
  for (const message of messages) total += message.bytes;
  if (total <= limit) return [[...messages]];
  const filled = new Map<string, { wave: number; bytes: number }>();
  const waves: Message[][] = [];
  for (const message of messages) {
    const wave = waveOf(message, filled, limit);
    (waves[wave] ??= []).push(message);
  }
  return waves;
}

function waveOf({ topic, partition, bytes }: Message, filled: Map<string, { wave: number; bytes: number }>, limit: number): number {
  const name = `${topic}:${partition}`;
  const last = filled.get(name) ?? { wave: 0, bytes: 0 };
  const fits = last.bytes === 0 || last.bytes + bytes <= limit;
  const now = fits ? { wave: last.wave, bytes: last.bytes + bytes } : { wave: last.wave + 1, bytes };
  filled.set(name, now);
  return now.wave;
}
