import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
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
  ) {
    // A failure is told where the same promise is awaited.
    stopping.addEventListener('abort', () => void this.beforeApplicationShutdown().catch(() => {}), { once: true });
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

  private async end(): Promise<void> {
    clearInterval(this.poll);
    await Promise.all([this.signal.stop(), this.dispatcher.stop()]);
  }
}
