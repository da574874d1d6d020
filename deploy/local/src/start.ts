// `npm start`: the whole platform on this machine, until Ctrl-C.
import { UsageError } from '@shopflow/command-line';
import { ConfigError } from '@shopflow/config';
import { ServersError } from '@shopflow/servers';
import { readStartConfig } from './config.js';
import { Platform } from './platform.js';
import { progressSince } from './progress.js';
import { readStartOptions } from './start-options.js';
import { untilAskedToStop } from './until-asked-to-stop.js';

const STOPPED_EARLY = 130;
const stop = untilAskedToStop();

async function start(): Promise<number> {
  try {
    const options = readStartOptions(process.argv.slice(2));
    const config = readStartConfig();
    await new Platform(config, progressSince(config.typedAt)).run(stop, options);
    return 0;
  } catch (error) {
    if (stop.aborted && error === stop.reason) return STOPPED_EARLY;
    if (!(error instanceof ServersError || error instanceof ConfigError || error instanceof UsageError)) throw error;
    console.error(error.message);
    return 1;
  }
}

// Not by running out of work: the channel to the command that started us would keep us.
process.exit(await start());
