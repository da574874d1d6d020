import type { EmbeddedKafka, EmbeddedPostgres } from '@shopflow/servers';
import type { Clicks } from '../clicks.js';
import type { DrawFault as DrawFaultOf } from '../../fault.js';
import type { Member } from '../members.js';
import type { TopicPlace } from '../read-ids.js';

/** Everything that a fault may hit. */
export interface Stage extends TopicPlace {
  readonly kafka: EmbeddedKafka;
  readonly postgres: EmbeddedPostgres;
  readonly members: readonly Member[];
  /** Members that always run; the others come and go. */
  readonly regulars: number;
  readonly clicks: Clicks;
}

export type { Fault } from '../../fault.js';
export { seconds } from '../../fault.js';
export type DrawFault = DrawFaultOf<Stage>;
