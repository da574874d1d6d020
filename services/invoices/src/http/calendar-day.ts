import { Problem } from '@shopflow/http';

/** @throws Problem 400 for a day that no calendar has, such as 2026-02-30 */
export function calendarDay<Day extends string | undefined>(field: string, day: Day): Day {
  if (day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return day;
  const errors = [{ field, message: 'must be a day of the calendar' }];
  throw new Problem({ status: 400, kind: 'invalid-request', detail: `Wrong in the body: ${field}.`, errors });
}
