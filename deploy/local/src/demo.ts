// `npm run demo`: a story, the one of one bad day unless another is named, from nothing, in a namespace of its own; exit code 0 only when
// all of it came right.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '@shopflow/command-line';
import { ServersError, shopflowHome, startServers } from '@shopflow/servers';
import type { Ending, Story } from './demo/ending.js';
import { stories } from './demo/stories.js';
import { readDemoOptions } from './demo-options.js';
import type { Progress } from './progress.js';
import { startSystem } from './start-system.js';
import { untilAskedToStop } from './until-asked-to-stop.js';

const PATIENCE_MS = 90_000;
const startedAt = Date.now();

/** Progress is for people: with `--json`, standard output holds the one line alone. */
const say: Progress = (message) => console.error(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${message}`);

async function demo(): Promise<number> {
  const { json, story } = readDemoOptions(process.argv.slice(2));
  const namespace = `demo-${randomBytes(4).toString('hex')}`;
  const dir = join(shopflowHome(), namespace);
  const stop = AbortSignal.any([untilAskedToStop(), AbortSignal.timeout(PATIENCE_MS)]);
  const { outcome, lines, isExpected } = await play(stories[story], namespace, dir, stop).catch(async (error: unknown) => {
    if (error instanceof ServersError) await rm(dir, { recursive: true, force: true }); // its one line says it all
    throw error;
  });
  console.log(json ? JSON.stringify(outcome) : ['', ...lines, ''].join('\n'));
  if (isExpected) await rm(dir, { recursive: true, force: true });
  else say(`this is not what should have come of it; the logs are in ${join(dir, 'logs')}`);
  return isExpected ? 0 : 1;
}

async function play(story: Story, namespace: string, dir: string, stop: AbortSignal): Promise<Ending> {
  const servers = await startServers({ dir, onProgress: say, signal: stop });
  try {
    const options = { namespace, dir, servers, onProgress: say, signal: stop, ...story.setting };
    const system = await startSystem(options);
    try {
      return await story.play(system, stop, say);
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
