import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Dispatcher } from './dispatcher.js';
import type { DueSignal } from './due-signal.js';

/** Keeps the dispatcher awake: at every notice of a due delivery, and now and then for retries and lost notices. */
export class DispatchLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly signal: DueSignal,
    private readonly pollMs: number,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.poll = setInterval(() => this.dispatcher.wake(), this.pollMs);
    await this.signal.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.poll);
    await this.signal.stop();
    await this.dispatcher.stop();
  }
}
