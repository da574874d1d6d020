import type { Terminal } from '@shopflow/command-line';
import type { SourceConfig } from '../read-sources.js';

/** What the commands about events that were set aside work with. */
export interface AsideContext {
  readonly sources: readonly SourceConfig[];
  readonly terminal: Terminal;
}
