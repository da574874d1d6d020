import { createLogger, type Logger } from '@shopflow/telemetry';
import type { WakeUp } from '../../retry/wake-up.js';
import { WakeUps } from '../../retry/wake-ups.js';
import type { OperatingContext } from '../operated-group.js';

/** What is due now is woken; a head that waits for later has its wake-up already. */
const NOW = [0, 0, 0] as const;

/** A person waits, and for the first letter of a group topics have to be made. */
const STOP_MS = 10_000;

/** Tells a group's members what there is to do again. When Kafka is away their sweepers find it, within seconds. */
export class HeadWaker {
  private wakeUps: WakeUps | undefined;

  constructor(private readonly context: OperatingContext) {}

  /** Returns at once. */
  wake(head: WakeUp): void {
    this.wakeUps ??= this.connect(head.topic);
    this.wakeUps.wake([head]);
  }

  /** Waits until they are told. Takes 10 s at most. */
  async stop(): Promise<void> {
    await this.wakeUps?.stop();
  }

  private connect(topic: string): WakeUps {
    const { service, kafka, clock } = this.context;
    const wakeUps = new WakeUps({
      ...kafka,
      group: service.group,
      sources: [topic],
      delaysMs: NOW,
      stopMs: STOP_MS,
      clock,
      logger: this.logger(),
    });
    wakeUps.start();
    return wakeUps;
  }

  /** It warns of what it could not send, which is no failure. */
  private logger(): Logger {
    const logger = createLogger('dlq', 'silent');
    let told = false;
    logger.warn = () => {
      if (!told) this.context.terminal.note('Kafka could not be told; the members pick it up by themselves, within seconds');
      told = true;
    };
    return logger;
  }
}
