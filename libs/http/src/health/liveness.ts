import { Injectable } from '@nestjs/common';

/** False when only a restart of the process helps. */
export type LivenessCheck = () => boolean;

/** Whether the process still works. What can heal by itself, such as an outage of the database, is a matter of readiness. */
@Injectable()
export class Liveness {
  private readonly checks = new Map<string, LivenessCheck>();

  /** @param name what is checked, as the answer shows it */
  add(name: string, check: LivenessCheck): void {
    this.checks.set(name, check);
  }

  /** The parts that only a restart helps; none when the process is well. */
  get dead(): string[] {
    return [...this.checks].filter(([, lives]) => !lives()).map(([name]) => name);
  }
}
