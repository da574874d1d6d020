import type { Chunk } from './chunk.js';

/** Savepoints beyond some 60 in one transaction slow the whole server down. */
const PIECE = 50;

/** How much of a partition is done at once: whole chunks, and after one failed, small pieces until that is passed. */
export class Pace {
  private careful: { until: number; size: number } | undefined;

  constructor(private readonly chunkSize: number) {}

  at(position: number): { limit: number; oneByOne: boolean } {
    if (this.careful && position >= this.careful.until) this.careful = undefined;
    return this.careful ? { limit: this.careful.size, oneByOne: true } : { limit: this.chunkSize, oneByOne: false };
  }

  /** After a chunk failed and it is not known which of its events is to blame. False when it cannot get any narrower. */
  narrow(chunk: Chunk): boolean {
    if (this.careful?.size === 1) return false;
    this.careful = { until: Math.max(chunk.to, this.careful?.until ?? 0), size: this.careful ? 1 : PIECE };
    return true;
  }

  /** Each event before `until` alone: one of them may have ended or stopped a process. */
  suspect(until: number): void {
    this.careful = { until: Math.max(until, this.careful?.until ?? 0), size: 1 };
  }
}
