import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from '@shopflow/telemetry';
import type { ArchiveDeliveries } from './archive-deliveries.js';

/** More often than the hour between its two steps would gain nothing. */
const EVERY_MS = 6 * 3_600_000;

/** Moves old deliveries now and then. What fails is done the next time. */
export class ArchiveLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly archive: ArchiveDeliveries,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), EVERY_MS);
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  private look(): void {
    this.running = this.running.then(() => this.move());
  }

  private async move(): Promise<void> {
    try {
      const archived = await this.archive.execute(new Date(), this.stopping.signal);
      if (archived.copied + archived.moved > 0) this.logger.info(archived, 'old deliveries moved to the archive');
    } catch (error) {
      this.logger.warn({ err: error }, 'old deliveries could not be moved to the archive; trying again in 6 hours');
    }
  }
}
