import { headerNames, headerText } from '@shopflow/kafka';
import { isIntact, keyOf, numberOf, type ReadEvent } from './event.js';

/** What is wrong with what a contender wrote; all zero when nothing is. */
export interface Faults {
  /** Events that are in no record. */
  readonly lost: number;
  /** Records beyond the first with the same event id. */
  readonly repeated: number;
  /** Events that came, for the first time, behind a later one of their key. */
  readonly reordered: number;
  /** Records whose key, payload or headers are not those of their event. */
  readonly malformed: number;
}

/** From the first to the last record of some events, in milliseconds of the broker's clock. */
interface Span {
  first: number;
  last: number;
}

/** Judges a topic by its records, given one after the other in the order of each partition. Events are numbered from 0. */
export class Verification {
  private readonly ids = new Set<string>();
  private readonly numbers = new Set<number>();
  private readonly latest = new Map<string, number>();
  private readonly spans: Span[] = [];
  private repeated = 0;
  private reordered = 0;
  private malformed = 0;

  /** @param perBacklog events 0 … perBacklog-1 were the first backlog, as many the second one, and so on */
  constructor(private readonly perBacklog: number) {}

  /** @param timestamp the broker's, in milliseconds */
  add(event: ReadEvent & { readonly timestamp: number }): void {
    const n = numberOf(event);
    const id = headerText(event.headers, headerNames.id);
    if (!Number.isSafeInteger(n) || n < 0 || id === undefined || !isIntact(event, n)) return void this.malformed++;
    if (this.ids.has(id) || this.numbers.has(n)) return void this.repeated++;
    this.ids.add(id);
    this.numbers.add(n);
    this.noteOrder(n);
    this.noteTime(n, event.timestamp);
  }

  /** @param events that there should be */
  faults(events: number): Faults {
    let lost = 0;
    for (let n = 0; n < events; n++) if (!this.numbers.has(n)) lost++;
    return { lost, repeated: this.repeated, reordered: this.reordered, malformed: this.malformed };
  }

  /** Events per second of one backlog, between its first and its last record; undefined when there are fewer than two. */
  perSecond(backlog: number): number | undefined {
    const span = this.spans[backlog];
    return span === undefined || span.last <= span.first ? undefined : (this.perBacklog * 1_000) / (span.last - span.first);
  }

  private noteOrder(n: number): void {
    const key = keyOf(n);
    const before = this.latest.get(key) ?? -1;
    if (n < before) this.reordered++;
    else this.latest.set(key, n);
  }

  private noteTime(n: number, at: number): void {
    const span = (this.spans[Math.floor(n / this.perBacklog)] ??= { first: at, last: at });
    span.first = Math.min(span.first, at);
    span.last = Math.max(span.last, at);
  }
}
