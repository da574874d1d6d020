import { once } from 'node:events';

/** Where a command writes: what it was asked for, and what a person wants to know meanwhile. */
export interface Terminal {
  /** One line of the answer. Resolves when the reader keeps up, so that nothing piles up in memory. */
  print(line: string): Promise<void>;
  /** One line beside the answer, to standard error. */
  note(line: string): void;
}

export const standardTerminal: Terminal = {
  async print(line) {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  },
  note: (line) => void process.stderr.write(`${line}\n`),
};
