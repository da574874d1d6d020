import { UsageError } from '@shopflow/command-line';

/** A whole number from 1 on, or undefined when the option is not given. @throws UsageError naming the option */
export function readCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} ${text} is no whole number from 1 on`);
}

/** A number above 0, or undefined when the option is not given. @throws UsageError naming the option */
export function readRate(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--${option} ${text} is no number above 0`);
}
