import { Controller, Get } from '@nestjs/common';
import { Problem, ValidQuery } from '@shopflow/http';
import Type, { type Static } from 'typebox';
import { Revenue, type RevenueOfDay } from '../revenue.js';

const UtcDay = Type.String({ format: 'date', wanted: 'a UTC date such as 2026-11-30' });
const RevenueQuery = Type.Object({ from: UtcDay, to: UtcDay });

/** `totalKobo` is a decimal string, here and in `days`: a sum may exceed what a JSON number holds exactly. */
interface RevenueAnswer {
  readonly totalKobo: string;
  readonly days: RevenueOfDay[];
}

@Controller('revenue')
export class RevenueController {
  constructor(private readonly revenue: Revenue) {}

  @Get()
  async between(@ValidQuery(RevenueQuery) { from, to }: Static<typeof RevenueQuery>): Promise<RevenueAnswer> {
    if (from > to) throw new Problem({ status: 400, kind: 'invalid-request', detail: `from (${from}) is after to (${to}).` });
    const days = await this.revenue.between(from, to);
    return { totalKobo: days.reduce((sum, day) => sum + BigInt(day.totalKobo), 0n).toString(), days };
  }
}
