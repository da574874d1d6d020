import { Controller, Get, Inject } from '@nestjs/common';
import { Database } from '@shopflow/database';
import { Organization } from '@shopflow/http';
import { countOfRun } from '../persistence/reminders-table.js';
import { latestRun } from '../persistence/runs-table.js';
import type { Schedule } from '../scheduling/schedule.js';
import { SCHEDULE } from '../scheduling/schedule-token.js';

/** Times are ISO 8601 in UTC. */
interface ScheduleStatus {
  readonly cron: string;
  readonly nextRun: Date | null;
  readonly lastRun: {
    readonly dueAt: Date;
    /** UTC date of `dueAt`. */
    readonly day: string;
    /** The organization's own reminders. */
    readonly raised: number;
    readonly startedAt: Date;
    /** null: under way, or left by a process that died. */
    readonly finishedAt: Date | null;
  } | null;
}

@Controller('status/schedule')
export class StatusController {
  constructor(
    private readonly database: Database,
    @Inject(SCHEDULE) private readonly schedule: Schedule,
  ) {}

  @Get()
  async status(@Organization() organizationId: string): Promise<ScheduleStatus> {
    const run = await latestRun(this.database);
    const nextRun = this.schedule.nextAfter(new Date()) ?? null;
    if (run === undefined) return { cron: this.schedule.pattern, nextRun, lastRun: null };
    const { dueAt, day, startedAt, finishedAt } = run;
    const raised = await countOfRun(this.database, run, organizationId);
    return { cron: this.schedule.pattern, nextRun, lastRun: { dueAt, day, raised, startedAt, finishedAt } };
  }
}
