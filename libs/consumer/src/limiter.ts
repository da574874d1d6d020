interface Waiting {
  readonly places: number;
  readonly start: () => void;
}

/** Lets at most `limit` pieces of work run at once; the others wait for their turn, first come, first served. */
export class Limiter {
  private free: number;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly limit: number) {
    this.free = limit;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.take(1, work);
  }

  /** Nothing else runs meanwhile: for work that may end the process, so that nobody else is to blame for it. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    return this.take(this.limit, work);
  }

  private async take<T>(places: number, work: () => Promise<T>): Promise<T> {
    if (this.waiting.length > 0 || this.free < places) await new Promise<void>((start) => this.waiting.push({ places, start }));
    else this.free -= places;
    try {
      return await work();
    } finally {
      this.leave(places);
    }
  }

  private leave(places: number): void {
    this.free += places;
    for (let next = this.waiting[0]; next !== undefined && next.places <= this.free; next = this.waiting[0]) {
      this.waiting.shift();
      this.free -= next.places;
      next.start();
    }
  }
}
