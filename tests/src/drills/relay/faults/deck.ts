import type { FaultPlan } from '../../fault-sequence.js';
import type { Stage } from './fault.js';
import { freezeRelay, killRelay, stopRelay } from './relay-faults.js';
import { crashBroker, crashPostgres, crashTwoBrokers, restartBroker, restartPostgres } from './server-faults.js';

export const PLAN: FaultPlan<Stage> = {
  deck: [
    killRelay,
    killRelay,
    killRelay,
    killRelay,
    stopRelay,
    stopRelay,
    stopRelay,
    freezeRelay,
    crashBroker,
    crashBroker,
    crashBroker,
    restartBroker,
    crashTwoBrokers,
    crashPostgres,
    crashPostgres,
    restartPostgres,
  ],
  pauseMs: [500, 3_000],
  alone: 0.4,
  restMs: 2_000,
};
