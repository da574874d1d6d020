import type { DrawFault } from './fault.js';

const MOST_LETTERS = 8;

/** Replays some dead letters, each asked for several times at once from two processes. */
export const replayLetters: DrawFault = (random, { clicks }) => {
  const share = random.next();
  return {
    name: 'replay',
    target: 'letters',
    text: 'dead letters are replayed, with double clicks from two processes',
    async run() {
      const open = await clicks.openLetters();
      const from = Math.floor(share * Math.max(0, open.length - MOST_LETTERS + 1));
      for (const letter of open.slice(from, from + MOST_LETTERS)) await clicks.replay(letter);
    },
  };
};

/** Gives one letter up for good, twice at once. */
export const discardLetter: DrawFault = (random, { clicks }) => {
  const share = random.next();
  return {
    name: 'discard',
    target: 'letters',
    text: 'a dead letter is discarded with a double click',
    async run() {
      const open = await clicks.openLetters();
      const letter = open[Math.floor(share * open.length)];
      if (letter !== undefined) await clicks.discard(letter);
    },
  };
};
