import type { DatabaseReport } from '../source/database-report.js';

/**
 * What a database alone says of its source:
 * - `active`: a relay has the slot
 * - `no relay`: none has it; what is committed waits
 * - `new`: no relay has ever published it
 * - `refused`: a relay would skip events; a person has to decide
 * - `unknown`: the database could not be asked
 */
export interface SourceVerdict {
  readonly state: 'active' | 'no relay' | 'new' | 'refused' | 'unknown';
  readonly reason: string | null;
}

/**
 * @param source its name and slot
 * @param cluster the cluster that this is; null where it is not known
 */
export function judgeSource(
  { source, slot }: { source: string; slot: string },
  cluster: string | null,
  report: DatabaseReport,
): SourceVerdict {
  const refused = refusal(slot, cluster, report);
  if (refused !== undefined)
    return { state: 'refused', reason: `${refused}; once you know why: npm run relay -- adopt ${source} --who … --why …` };
  if (report.slotActive) return { state: 'active', reason: null };
  if (report.progressSlot === null) return { state: 'new', reason: 'no relay has published it yet' };
  return { state: 'no relay', reason: `nobody has slot ${slot}: what is committed waits` };
}

/** What a relay checks before it takes the slot. */
function refusal(slot: string, cluster: string | null, report: DatabaseReport): string | undefined {
  const { progressSlot, progressCluster, slotActive, slotInvalid } = report;
  if (progressSlot === null) return undefined;
  if (cluster !== null && progressCluster !== cluster) return `published until now from cluster ${progressCluster}, this is ${cluster}`;
  if (progressSlot !== slot) return `published until now through slot ${progressSlot}, asked for is ${slot}`;
  if (slotActive === null) return `slot ${slot} is gone`;
  if (slotInvalid !== null) return `slot ${slot} was given up by the server (${slotInvalid})`;
  return undefined;
}
