import { Injectable, Optional } from '@nestjs/common';
import { Database } from '@shopflow/database';
import type { FieldFault } from '../problem.js';

/** Resolves when the part can do its work; rejects with the reason when it cannot. */
export type ReadinessCheck = () => Promise<unknown>;

const CHECK_TIMEOUT_MS = 2_000;

/** Whether the service can take work. Its database is checked by itself; other parts add their own check. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private readonly end = new AbortController();

  constructor(@Optional() database?: Database) {
    if (database) this.add('database', () => database.query('SELECT 1'));
  }

  /** @param name what is checked, as the answer shows it */
  add(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** From now on not ready, so that no new work is sent here while the rest is finished. */
  stop(): void {
    this.end.abort(new Error('the service is stopping'));
  }

  /** Aborts at the very beginning of an orderly stop: for work of a service's own that has to begin to end with everything else. */
  get stopping(): AbortSignal {
    return this.end.signal;
  }

  get names(): string[] {
    return [...this.checks.keys()];
  }

  /** Every part that cannot work now; none when the service is ready. */
  async faults(): Promise<FieldFault[]> {
    if (this.stopping.aborted) return [{ field: 'service', message: 'is stopping' }];
    const results = await Promise.all([...this.checks].map(([name, check]) => faultOf(name, check)));
    return results.filter((fault) => fault !== undefined);
  }
}

async function faultOf(field: string, check: ReadinessCheck): Promise<FieldFault | undefined> {
  try {
    await Promise.race([check(), tooLate()]);
    return undefined;
  } catch (error) {
    return { field, message: error instanceof Error ? error.message : String(error) };
  }
}

function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`did not answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS).unref();
  });
}
