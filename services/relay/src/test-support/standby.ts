import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgres, withClient } from '@shopflow/servers';

/** A physical standby's slot on its primary: list it in the primary's `synchronized_standby_slots`. */
export const STANDBY_SLOT = 'standby_1';

/**
 * Makes a physical standby from a cold copy of the primary, which is stopped for the moment of the copy. The standby keeps
 * copies of the primary's failover slots.
 *
 * @param dir reachable for the account that PostgreSQL runs as, and empty
 */
export async function startStandby(primary: EmbeddedPostgres, dir: string): Promise<EmbeddedPostgres> {
  const source = await withClient(primary.url, async (client) => {
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [STANDBY_SLOT]);
    return (await client.query<{ data_directory: string }>('SHOW data_directory')).rows[0]!.data_directory;
  });
  await primary.stop();
  await copyData(source, join(dir, 'data'));
  await primary.restart();
  const { hostname, port, username, password } = new URL(primary.url);
  return EmbeddedPostgres.start({
    dir,
    settings: {
      primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password} dbname=postgres`,
      primary_slot_name: STANDBY_SLOT,
      hot_standby_feedback: 'on',
      sync_replication_slots: 'on',
    },
  });
}

/** As a base backup would be: the owner stays, and a standby has none of the primary's slots. */
async function copyData(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await promisify(execFile)('cp', ['-a', source, target]);
  const slots = join(target, 'pg_replslot');
  for (const slot of await readdir(slots)) await rm(join(slots, slot), { recursive: true });
  await writeFile(join(target, 'standby.signal'), '');
}
