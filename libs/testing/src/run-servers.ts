import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Servers, startServers } from '@shopflow/servers';
import { removeLeftovers } from './remove-leftovers.js';

const SHARED = Symbol.for('shopflow.testing.run-servers');

/** The servers of one test run: started for the first project that wants them, stopped after the last one is done. */
export class RunServers {
  readonly runId = randomBytes(6).toString('hex');
  private users = 0;
  private started: Promise<Servers> | undefined;
  /** Comes into being only when servers of our own are started. */
  private readonly folder = join(tmpdir(), `shopflow-test-${this.runId}`);

  /** The same object for every module instance of this process. */
  static ofThisRun(): RunServers {
    const registry = globalThis as { [SHARED]?: RunServers };
    return (registry[SHARED] ??= new RunServers());
  }

  use(): Promise<Servers> {
    this.users += 1;
    this.started ??= this.start();
    return this.started;
  }

  async release(): Promise<void> {
    this.users -= 1;
    if (this.users > 0 || this.started === undefined) return;
    const servers = await this.started;
    this.started = undefined;
    // Servers that were given to us outlive the run; ours go with all that is on them.
    if (servers.kind === 'given') await removeLeftovers(servers, this.runId);
    await servers.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  private start(): Promise<Servers> {
    return startServers({ dir: this.folder, onProgress: (message) => process.stderr.write(`${message}\n`) });
  }
}
