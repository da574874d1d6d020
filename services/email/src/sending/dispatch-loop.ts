import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from '@shopflow/telemetry';
import type { Dispatcher } from './dispatcher.js';
import type { DueSignal } from './due-signal.js';

/**
 * Keeps the dispatcher awake: at every notice of a due delivery, and now and then for retries and lost notices.
 * It begins to end when `stopping` aborts, before the consumer leaves its group: a provider that hangs then has its whole timeout.
 */
export class DispatchLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private poll: NodeJS.Timeout | undefined;
  private ending: Promise<void> | undefined;

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly signal: DueSignal,
    private readonly pollMs: number,
    stopping: AbortSignal,
    private readonly logger: Logger,
  ) {
    stopping.addEventListener('abort', () => this.stopEarly(), { once: true });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.poll = setInterval(() => this.dispatcher.wake(), this.pollMs);
    await this.signal.start();
  }

  /** Resolves when no call is under way any more. */
  beforeApplicationShutdown(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  /** Nest waits for the same promise later, unless it ends before that: then nobody else would tell of a failure. */
  private stopEarly(): void {
    this.beforeApplicationShutdown().catch((error: unknown) => this.logger.warn({ err: error }, 'the dispatcher did not stop in order'));
  }

  private async end(): Promise<void> {
    clearInterval(this.poll);
    await Promise.all([this.signal.stop(), this.dispatcher.stop()]);
  }
}
