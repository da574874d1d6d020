import { Controller, Get } from '@nestjs/common';
import { Problem } from '../problem.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly liveness: Liveness,
    private readonly readiness: Readiness,
  ) {}

  /** The process works. An outage of the database is no reason to restart it. */
  @Get('live')
  live() {
    const { dead } = this.liveness;
    if (dead.length === 0) return { status: 'live' };
    throw new Problem({ status: 503, kind: 'not-live', title: 'The process has to be restarted', detail: `Dead: ${dead.join(', ')}.` });
  }

  /** The service can take work. */
  @Get('ready')
  async ready() {
    const errors = await this.readiness.faults();
    if (errors.length === 0) return { status: 'ready', checks: this.readiness.names };
    const parts = errors.map(({ field }) => field).join(', ');
    throw new Problem({
      status: 503,
      kind: 'not-ready',
      title: 'The service cannot take work now',
      detail: `Not ready: ${parts}.`,
      errors,
    });
  }
}
