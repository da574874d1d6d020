import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres, preflight } from '@shopflow/servers';
import { eventually, kafkaBrokers } from '@shopflow/testing';
import { expect, it } from 'vitest';
import { ServerKeeper } from './keep-servers-running.js';

it('starts a server again that ended by itself, says so, and leaves it down when it is asked to stop', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'shopflow-keeper-'));
  const postgres = await EmbeddedPostgres.start({ dir });
  const said: string[] = [];
  const keeper = new ServerKeeper({ kafka: undefined, postgres }, (message) => said.push(message));

  await postgres.kill();
  await eventually(() => said.length === 2);
  expect(said).toEqual(['PostgreSQL ended (SIGKILL); started again in 0.5 s', 'PostgreSQL serves again']);
  await preflight({ kafkaBrokers: kafkaBrokers(), databaseUrl: postgres.url, slots: [] });

  await keeper.stop();
  await postgres.remove();
  expect(said).toHaveLength(2);
  await rm(dir, { recursive: true, force: true });
});
