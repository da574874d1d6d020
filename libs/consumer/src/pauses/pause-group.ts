import type { Database } from '@shopflow/database';
import type { Pause } from './read-pause.js';

/** Pauses the group and notes who did it. @returns false when it is paused already: then nothing is changed */
export async function pauseGroup(database: Database, consumer: string, { who, why, at }: Pause): Promise<boolean> {
  const { count } = await database.query(
    `WITH paused AS (
       INSERT INTO group_pauses (consumer, who, why, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING *)
     INSERT INTO group_actions (consumer, action, who, why, at) SELECT consumer, 'pause', who, why, at FROM paused`,
    [consumer, who, why, at],
  );
  return count === 1;
}

/** Lets the group go on and notes who did it. @returns false when it is not paused: then nothing is changed */
export async function resumeGroup(database: Database, consumer: string, { who, why, at }: Pause): Promise<boolean> {
  const { count } = await database.query(
    `WITH resumed AS (DELETE FROM group_pauses WHERE consumer = $1 RETURNING consumer)
     INSERT INTO group_actions (consumer, action, who, why, at) SELECT consumer, 'resume', $2, $3, $4 FROM resumed`,
    [consumer, who, why, at],
  );
  return count === 1;
}
