import { Writable } from 'node:stream';
import { currentContext, type Logger } from '@shopflow/telemetry';
import { pino } from 'pino';

export type LogLine = Readonly<Record<string, unknown>>;

/** A logger like that of a service, whose lines can be looked at. */
export function recordingLogger(): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as LogLine);
      done();
    },
  });
  const formatters = { level: (label: string) => ({ level: label }) };
  return { logger: pino({ level: 'debug', formatters, mixin: () => ({ ...currentContext() }) }, stream), lines };
}
