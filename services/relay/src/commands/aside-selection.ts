import { readLine, UsageError } from '@shopflow/command-line';
import type { KeyFilter } from '../set-aside/blocked-keys.js';
import type { DecisionRequest } from '../set-aside/decide-entries.js';

const OPTIONS = {
  source: 'text',
  topic: 'text',
  key: 'text',
  all: 'switch',
  behind: 'switch',
  who: 'text',
  why: 'text',
  'dry-run': 'switch',
  json: 'switch',
} as const;

/** What `aside retry` or `aside discard` was told. */
export interface AsideWish {
  readonly request: DecisionRequest;
  /** Empty: the heads that the filter selects. */
  readonly eventIds: readonly string[];
  readonly filter: KeyFilter;
  readonly source: string | undefined;
  readonly json: boolean;
}

/** @throws UsageError when it does not say about what, who or why, or more than it can do */
export function readAsideWish(what: DecisionRequest['what'], args: readonly string[]): AsideWish {
  const { words, options } = readLine(args, OPTIONS);
  const { source, topic, key, all = false, behind = false, json = false } = options;
  const dryRun = options['dry-run'] === true;
  checkSelection(what, words, { topic, key, all });
  if (behind && what === 'retry') throw new UsageError('--behind is for discard: after a retry those behind follow by themselves');
  const { who, why } = options;
  if (!dryRun && (who === undefined || why === undefined))
    throw new UsageError(`--${who === undefined ? 'who' : 'why'} is missing: say who decides and why; it is kept with the decision`);
  const request = { what, behind, dryRun, who: who ?? '', why: why ?? '' };
  return { request, eventIds: [...new Set(words)], filter: { topic, key }, source, json };
}

function checkSelection(what: string, words: readonly string[], { topic, key, all }: KeyFilter & { all: boolean }): void {
  if (words.length > 0 && (all || key !== undefined || topic !== undefined))
    throw new UsageError('event ids, or --key, --topic and --all: not both');
  if (words.length === 0 && key === undefined && !all)
    throw new UsageError(`${what} needs event ids, --key <key> [--topic <topic>], or --all [--topic <topic>]; see: aside list`);
  if (all && key !== undefined) throw new UsageError('--key or --all, not both');
}
