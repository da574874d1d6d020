import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeServerData, type Servers, shopflowHome, startServers } from '@shopflow/servers';
import type { StartConfig } from './config.js';
import { sendFirstInvoice } from './first-invoice.js';
import { placeFirstOrders } from './first-orders.js';
import { ServerKeeper } from './keep-servers-running.js';
import type { Progress } from './progress.js';
import { takeLock } from './running-lock.js';
import { noteRunning } from './running-system.js';
import type { StartOptions } from './start-options.js';
import { assertPortsFree, endFormerProcesses, startSystem } from './start-system.js';
import type { ServiceName } from './services.js';
import { logSearch, summary, whereToLook } from './summary.js';
import type { System } from './system.js';

/** The servers and the system of one namespace on this machine, from the first port to the last process. */
export class Platform {
  private readonly dir: string;

  constructor(
    private readonly config: StartConfig,
    private readonly say: Progress,
  ) {
    this.dir = join(shopflowHome(), config.namespace);
  }

  /**
   * Serves until `stop` is aborted; then, or when anything fails, leaves no process behind.
   *
   * @throws ServersError in one line that says what to do
   */
  async run(stop: AbortSignal, { fresh, without }: StartOptions): Promise<void> {
    const lock = takeLock(this.dir, this.config.namespace);
    try {
      await endFormerProcesses(this.dir);
      await assertPortsFree(this.config.ports);
      if (fresh) await this.eraseLocalData();
      await this.withServers(stop, (servers) => this.withSystem(servers, stop, { fresh, without }));
      this.say('stopped');
    } finally {
      lock.release();
    }
  }

  private async eraseLocalData(): Promise<void> {
    this.say('deleting what an earlier start left');
    await removeServerData(this.dir);
    for (const kept of ['logs', 'mailbox.jsonl']) await rm(join(this.dir, kept), { recursive: true, force: true });
  }

  private async withServers(stop: AbortSignal, work: (servers: Servers) => Promise<void>): Promise<void> {
    const servers = await startServers({ dir: this.dir, ports: this.config.serverPorts, onProgress: this.say, signal: stop });
    const keeper = new ServerKeeper(servers, this.say);
    try {
      await work(servers);
    } finally {
      await keeper.stop();
      if (servers.kind === 'embedded') this.say('stopping the servers');
      await servers.stop();
    }
  }

  private async withSystem(servers: Servers, stop: AbortSignal, { fresh, without }: StartOptions): Promise<void> {
    const { namespace, ports, logLevel } = this.config;
    const given = { namespace, dir: this.dir, servers, ports, logLevel, fresh, onProgress: this.say, signal: stop };
    const system = await startSystem({ ...given, without: without ? [without] : [] });
    const note = noteRunning(this.dir, { ...servers, relayUrl: system.urls.relay });
    try {
      // Without a service nobody could say what became of the first orders.
      if (without === undefined) await this.showFirstOrders(system, servers, stop);
      await this.serve(system, stop, without);
    } finally {
      note.forget();
      this.say('stopping the services');
      await system.stop();
    }
  }

  private async showFirstOrders(system: System, servers: Servers, stop: AbortSignal): Promise<void> {
    const placed = await placeFirstOrders(system, this.say);
    this.say(placed ? 'placed the first orders; waiting for what becomes of them' : 'the first orders are there from an earlier start');
    if (placed) await sendFirstInvoice(system, this.say, stop);
    const happened = await summary(system.urls, stop);
    console.log(['', ...happened, '', ...logSearch(this.dir), ...whereToLook(system.urls, servers, this.dir), ''].join('\n'));
  }

  private async serve(system: System, stop: AbortSignal, without: ServiceName | undefined): Promise<void> {
    const but = without === undefined ? '' : ` without ${without}`;
    this.say(`ShopFlow serves${but} (namespace ${system.namespace}); Ctrl-C stops it`);
    if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  }
}
