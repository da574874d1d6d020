import { setTimeout as delay } from 'node:timers/promises';
import { type CommandResult, readLine, UsageError } from '@shopflow/command-line';
import type { DeadLetter } from '../../dead-letters/dead-letter.js';
import type { OperatingContext } from '../operated-group.js';
import { ASKER_OPTIONS, readAsker } from '../read-asker.js';
import { FILTER_OPTIONS, readFilter } from '../read-filter.js';
import { readCount, readRate } from '../read-number.js';
import { decideLetter, type Decision, type DecisionResult } from './decide-letter.js';
import { HeadWaker } from './head-waker.js';
import { previewDecision } from './preview-decision.js';
import { checkEdit, readEdit } from './read-edit.js';
import { checkSelection, NOTHING_FITS, type Selection, selectLetters, type UnknownLetter } from './select-letters.js';

const OPTIONS = {
  ...FILTER_OPTIONS,
  ...ASKER_OPTIONS,
  'dry-run': 'switch',
  'scan-limit': 'text',
  limit: 'text',
  rate: 'text',
  edit: 'text',
  json: 'switch',
} as const;

const PROGRESS_MS = 5_000;

/** `dlq replay` and `dlq discard`: one line for each letter; fails when one of them was refused. */
export async function decideLetters(
  context: OperatingContext,
  action: Decision['action'],
  args: readonly string[],
): Promise<CommandResult> {
  const { words, options } = readLine(args, OPTIONS);
  const selection: Selection = {
    eventIds: words,
    filter: readFilter(options, context.clock()),
    limit: readCount('limit', options.limit),
  };
  checkSelection(selection);
  const rate = readRate('rate', options.rate);
  if (options.edit !== undefined && (action === 'discard' || words.length !== 1))
    throw new UsageError('--edit is for the replay of exactly one event id');
  const json = options.json === true;
  const scanLimit = readCount('scan-limit', options['scan-limit']) ?? 100_000;
  const edit = options.edit === undefined ? undefined : { file: options.edit, bytes: await readEdit(options.edit) };
  if (options['dry-run']) return previewDecision(context, selection, { scanLimit, json });
  const asker = readAsker(options, context.clock());
  return new DecisionRun(context, { action, json, edit, pauseMs: rate === undefined ? 0 : 1_000 / rate, ...asker }).over(selection);
}

interface RunOptions extends Decision {
  readonly json: boolean;
  /** The payload that is handled in place of the letter's, and its file. */
  readonly edit: { readonly file: string; readonly bytes: Buffer } | undefined;
  readonly pauseMs: number;
}

class DecisionRun {
  private readonly counts = new Map<string, number>();
  private readonly waker: HeadWaker;
  private lastProgress = Date.now();

  constructor(
    private readonly context: OperatingContext,
    private readonly options: RunOptions,
  ) {
    this.waker = new HeadWaker(context);
  }

  async over(selection: Selection): Promise<CommandResult> {
    try {
      for await (const letter of selectLetters(this.context, selection)) {
        if (this.counts.size > 0 && this.options.pauseMs > 0) await delay(this.options.pauseMs);
        await this.tell(letter, await this.decide(letter));
      }
    } finally {
      await this.waker.stop();
      if (this.counts.size > 0) this.context.terminal.note(this.sums());
    }
    if (this.counts.size === 0) this.context.terminal.note(NOTHING_FITS);
    return { lines: [], ok: !this.counts.has('refused') };
  }

  private async decide(letter: DeadLetter | UnknownLetter): Promise<DecisionResult> {
    if ('unknown' in letter) return { result: 'refused', reason: `group ${this.context.service.group} has no dead letter of it` };
    const { edit, ...decision } = this.options;
    if (edit === undefined) return decideLetter(this.context, letter, decision);
    checkEdit(edit, letter, this.context.service.contracts);
    return decideLetter(this.context, letter, { ...decision, value: edit.bytes });
  }

  private async tell(letter: DeadLetter | UnknownLetter, { result, reason, wakeUp }: DecisionResult): Promise<void> {
    this.counts.set(result, (this.counts.get(result) ?? 0) + 1);
    if (wakeUp !== undefined) this.waker.wake(wakeUp);
    const { eventId } = letter;
    const of = 'unknown' in letter ? { eventId } : { eventId, source: letter.source, subject: letter.subject };
    const text = `${eventId}${'subject' in of && of.subject !== '' ? ` (${of.subject})` : ''}  ${result}${reason === undefined ? '' : `: ${reason}`}`;
    await this.context.terminal.print(this.options.json ? JSON.stringify({ ...of, result, reason }) : text);
    if (Date.now() - this.lastProgress < PROGRESS_MS) return;
    this.lastProgress = Date.now();
    this.context.terminal.note(`… ${this.sums()}`);
  }

  private readonly sums = (): string => [...this.counts].map(([result, count]) => `${count} ${result}`).join(', ');
}
