import type { EmbeddedKafkaCluster, EmbeddedPostgres } from '@shopflow/servers';
import type { DrawFault as DrawFaultOf } from '../../fault.js';
import type { RelayProcess } from '../relay-process.js';
import type { TakeOvers } from './take-overs.js';

/** Everything that a fault may hit. */
export interface Stage {
  readonly kafka: EmbeddedKafkaCluster;
  readonly postgres: EmbeddedPostgres;
  readonly relays: readonly RelayProcess[];
  readonly takeOvers: TakeOvers;
}

export type { Fault } from '../../fault.js';
export { seconds } from '../../fault.js';
export type DrawFault = DrawFaultOf<Stage>;
