import type { FaultPlan } from '../../fault-sequence.js';
import { discardLetter, replayLetters } from './click-letters.js';
import type { Stage } from './fault.js';
import { freezeMember, joinAndLeave, killMember, redeployMember } from './member-faults.js';
import { purgeRetries } from './purge-retries.js';
import { crashKafka, crashPostgres } from './server-faults.js';

export const PLAN: FaultPlan<Stage> = {
  deck: [
    killMember,
    killMember,
    killMember,
    freezeMember,
    freezeMember,
    joinAndLeave,
    redeployMember,
    crashPostgres(0, 4_000),
    crashKafka,
    purgeRetries,
    replayLetters,
    replayLetters,
    discardLetter,
  ],
  pauseMs: [1_000, 4_000],
  alone: 0.5,
};

/** In the middle of a long drill. */
export const LONG_OUTAGE = crashPostgres(60_000, 60_000);
