// `npm run demo`: the story of one bad day, from nothing, in a namespace of its own; exit code 0 only when all of it came right.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServersError, shopflowHome, startServers } from '@shopflow/servers';
import type { Outcome } from './demo/outcome.js';
import { isExpected, reportLines } from './demo/report.js';
import { leaveOldEvent, playStory } from './demo/story.js';
import type { Progress } from './progress.js';
import { readOptions, UsageError } from './command-options.js';
import { startSystem } from './start-system.js';
import { untilAskedToStop } from './until-asked-to-stop.js';

const PATIENCE_MS = 90_000;
const startedAt = Date.now();

/** Progress is for people: with `--json`, standard output holds the one line alone. */
const say: Progress = (message) => console.error(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${message}`);

async function demo(): Promise<number> {
  const { json } = readOptions('npm run demo', ['json']);
  const namespace = `demo-${randomBytes(4).toString('hex')}`;
  const dir = join(shopflowHome(), namespace);
  const stop = AbortSignal.any([untilAskedToStop(), AbortSignal.timeout(PATIENCE_MS)]);
  const outcome = await play(namespace, dir, stop).catch(async (error: unknown) => {
    if (error instanceof ServersError) await rm(dir, { recursive: true, force: true }); // its one line says it all
    throw error;
  });
  console.log(json ? JSON.stringify(outcome) : ['', ...reportLines(outcome), ''].join('\n'));
  if (isExpected(outcome)) await rm(dir, { recursive: true, force: true });
  else say(`this is not what should have come of it; the logs are in ${join(dir, 'logs')}`);
  return isExpected(outcome) ? 0 : 1;
}

async function play(namespace: string, dir: string, stop: AbortSignal): Promise<Outcome> {
  const servers = await startServers({ dir, onProgress: say, signal: stop });
  try {
    const options = { namespace, dir, servers, onProgress: say, beforeServices: leaveOldEvent, signal: stop };
    const system = await startSystem(options);
    try {
      return await playStory(system, stop, say);
    } finally {
      say('stopping');
      await system.remove();
    }
  } finally {
    await servers.remove();
  }
}

process.exit(
  await demo().catch((error: unknown) => {
    console.error(error instanceof ServersError || error instanceof UsageError ? error.message : error);
    return 1;
  }),
);
