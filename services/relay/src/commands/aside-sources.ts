import type { Terminal } from '@shopflow/command-line';
import type { Pool } from 'pg';
import type { SourceConfig } from '../read-sources.js';
import { withSource } from './source-pool.js';

const UNDEFINED_TABLE = '42P01';

export interface SourceAnswer<T> {
  readonly source: SourceConfig;
  readonly value: T;
}

/**
 * Asks all sources at once. One that does not answer is told of and left out.
 *
 * @returns the answers of the others, in the order of the sources
 */
export async function askSources<T>(
  sources: readonly SourceConfig[],
  terminal: Terminal,
  work: (pool: Pool, source: SourceConfig) => Promise<T>,
): Promise<readonly SourceAnswer<T>[]> {
  const asked = sources.map(async (source): Promise<SourceAnswer<T>[]> => {
    try {
      return [{ source, value: await withSource(source, (pool) => work(pool, source)) }];
    } catch (error) {
      terminal.note(`source ${source.name}: ${faultOf(error)}`);
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}

function faultOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  if (code === UNDEFINED_TABLE) return `${message}: run the migrations of its service`;
  return message || `${code ?? 'no answer'}: its database cannot be reached`;
}
