import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What of a log line tells the story. */
interface LogLine {
  readonly time: string;
  readonly service: string;
  readonly correlationId?: string;
  readonly msg: string;
}

/** The lines of every service that carry the correlation id, in time order: `08:00:00.123  invoices  delivery requested`. */
export function searchLogs(dir: string, correlationId: string): string[] {
  const files = readdirSync(join(dir, 'logs')).filter((file) => file.endsWith('.log'));
  const lines = files.flatMap((file) => readFileSync(join(dir, 'logs', file), 'utf8').split('\n'));
  const found = lines.filter((line) => line.includes(correlationId)).map(parse);
  return found
    .filter((line): line is LogLine => line?.correlationId === correlationId)
    .sort((a, b) => a.time.localeCompare(b.time))
    .map(({ time, service, msg }) => `${time.slice(11, 23)}  ${service.padEnd(9)}  ${msg}`);
}

/** A process that was killed leaves half a line; a stack trace is none. */
function parse(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
