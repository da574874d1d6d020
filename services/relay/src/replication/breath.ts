const PAUSE_MS = 0.1;
/** What comes as quickly as this is a flood: a lone transaction's messages do too, and the next thing is then whole. */
const FLOOD_MS = 0.3;

const nothing = new Int32Array(new SharedArrayBuffer(4));
let breathedAt = 0;

/**
 * Lets more arrive before it is read. The server sends each message by itself, three for a transaction of one row, and while we read
 * them one by one, waking us up costs the server half of its time and us more than all the rest of our work: measured, 77,000 rows a
 * second against 150,000 with a pause of a tenth of a millisecond, for a third of the processor time. Timers know no time below a
 * millisecond, in which a connection's buffer is full. All streams of a process share one pause: it never sleeps more than half of
 * the time.
 */
export class Breath {
  private lastAt = 0;

  /** To be called when what there was to read has been read. */
  take(): void {
    const now = performance.now();
    const flooded = now - this.lastAt < FLOOD_MS;
    this.lastAt = now;
    if (!flooded || now - breathedAt < PAUSE_MS) return;
    Atomics.wait(nothing, 0, 0, PAUSE_MS);
    breathedAt = this.lastAt = performance.now();
  }
}
