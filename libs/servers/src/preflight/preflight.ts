import { ServersError } from '../servers-error.js';
import { kafkaFaults } from './kafka-faults.js';
import { inspectPostgres } from './postgres-faults.js';

/** Every reason why the servers cannot be used, one line each, with what to do about it. */
export class PreflightError extends ServersError {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'PreflightError';
  }
}

export interface PreflightOptions {
  readonly kafkaBrokers: string;
  readonly databaseUrl: string;
  /** Replication slots that will be used; those of them that exist already need no free place. */
  readonly slots: readonly string[];
}

/**
 * Checks, before anything is created, that the servers can do what ShopFlow needs.
 *
 * @returns warnings, one line each: it works, but somebody should know
 * @throws PreflightError with every fault at once
 */
export async function preflight({ kafkaBrokers, databaseUrl, slots }: PreflightOptions): Promise<string[]> {
  const [kafka, postgres] = await Promise.all([kafkaFaults(kafkaBrokers), inspectPostgres(databaseUrl, slots)]);
  const faults = [...kafka, ...postgres.faults];
  if (faults.length > 0) throw new PreflightError(faults);
  return postgres.warnings;
}
