import { consumerMigrations } from '@shopflow/consumer';
import { migrate } from '@shopflow/database';
import { withClient, withDatabase } from '@shopflow/servers';

const NAME = 'drill';

/** Every effect that was made: an event with two rows took effect twice. */
const EFFECTS = {
  name: 'CreateEffects1764460800901',
  up: `CREATE TABLE effects (
         seq      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         event_id text NOT NULL,
         attempts integer NOT NULL,
         early    boolean NOT NULL,
         member   text NOT NULL
       );
       COMMENT ON COLUMN effects.attempts IS 'tries that were charged before this one';
       COMMENT ON COLUMN effects.early IS 'it was held and not due yet'`,
};

/** A member's database. */
export const drillMigrations = [...consumerMigrations, EFFECTS];

/** Needed of the server: {@link SERVER_SETTINGS}. @returns the database's URL */
export async function createDrillDatabase(serverUrl: string): Promise<string> {
  await withClient(serverUrl, (admin) => admin.query(`CREATE DATABASE ${NAME}`));
  const url = withDatabase(serverUrl, NAME);
  await migrate(url, drillMigrations);
  return url;
}

/** Effects are judged in the order in which they were committed. */
export const SERVER_SETTINGS = { track_commit_timestamp: 'on' } as const;
