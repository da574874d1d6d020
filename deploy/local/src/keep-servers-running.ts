import { once } from 'node:events';
import type { Ending, Servers } from '@shopflow/servers';
import type { Progress } from './progress.js';

interface Server {
  readonly ended: Promise<Ending>;
  restart(signal?: AbortSignal): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Starts Kafka or PostgreSQL again when it ends and nobody asked for it, and says so. Servers that were given are not ours to start. */
export class ServerKeeper {
  private readonly asked = new AbortController();
  private readonly whenAsked = once(this.asked.signal, 'abort').then(() => undefined);
  private readonly watching: Promise<unknown>;

  constructor(
    { kafka, postgres }: Pick<Servers, 'kafka' | 'postgres'>,
    private readonly say: Progress,
  ) {
    this.watching = Promise.all([this.watch('Kafka', kafka), this.watch('PostgreSQL', postgres)]);
  }

  /** From now on a server that ends stays down. Resolves when none is being started. */
  async stop(): Promise<void> {
    this.asked.abort();
    await this.watching;
  }

  private async watch(name: string, server: Server | undefined): Promise<void> {
    if (server === undefined) return;
    while (!this.asked.signal.aborted) {
      const ending = await this.unlessAsked(server.ended);
      if (ending) await this.startAgain(name, server, `ended (${ending.signal ?? `exit code ${ending.code}`})`);
    }
  }

  private async startAgain(name: string, server: Server, reason: string): Promise<void> {
    let why = reason;
    for (let pauseMs = FIRST_PAUSE_MS; !this.asked.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      this.say(`${name} ${why}; started again in ${pauseMs / 1000} s`);
      await this.unlessAsked(new Promise((resolve) => setTimeout(resolve, pauseMs).unref()));
      try {
        this.asked.signal.throwIfAborted();
        await server.restart(this.asked.signal);
        return this.say(`${name} serves again`);
      } catch (error) {
        why = (error as Error).message;
      }
    }
  }

  /** The outcome, or undefined as soon as somebody asks us to stop. */
  private unlessAsked<T>(outcome: Promise<T>): Promise<T | undefined> {
    return Promise.race([this.whenAsked, outcome]);
  }
}
