import { readLine, UsageError } from '@shopflow/command-line';
import { type ServiceName, serviceNames } from './services.js';

export interface StartOptions {
  /** Deletes first what an earlier start left. */
  readonly fresh: boolean;
  /** The service that is not started. */
  readonly without: ServiceName | undefined;
}

/** What is typed behind `npm start --`. @throws UsageError for anything that it does not know */
export function readStartOptions(args: readonly string[]): StartOptions {
  const { words, options } = readLine(args, { fresh: 'switch', without: 'text' });
  if (words.length > 0) throw new UsageError(`npm start takes no ${words[0]}; usage: npm start -- [--fresh] [--without <service>]`);
  const without = serviceNames.find((name) => name === options.without);
  if (options.without === undefined || without !== undefined) return { fresh: options.fresh ?? false, without };
  throw new UsageError(`no service ${JSON.stringify(options.without)} to start without: one of ${serviceNames.join(', ')}`);
}
