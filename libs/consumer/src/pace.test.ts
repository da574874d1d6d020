import { expect, it } from 'vitest';
import { chunkOfRecords } from './test-support/chunk-of.js';
import { Pace } from './pace.js';

const chunk = (from: number, to: number) => ({ ...chunkOfRecords(), from, to });

it('takes whole chunks while nothing fails', () => {
  expect(new Pace(500).at(0)).toEqual({ limit: 500, oneByOne: false });
});

it('takes pieces of 50, event by event, until the chunk that failed is passed', () => {
  const pace = new Pace(500);
  expect(pace.narrow(chunk(0, 500))).toBe(true);
  expect(pace.at(450)).toEqual({ limit: 50, oneByOne: true });
  expect(pace.at(500)).toEqual({ limit: 500, oneByOne: false });
});

it('takes single events when a piece fails as a whole, and then knows which one it is', () => {
  const pace = new Pace(500);
  pace.narrow(chunk(0, 500));
  expect(pace.narrow(chunk(0, 50))).toBe(true);
  expect(pace.at(0)).toEqual({ limit: 1, oneByOne: true });
  expect(pace.narrow(chunk(0, 1))).toBe(false);
});

it('takes each event alone that may have ended a process', () => {
  const pace = new Pace(500);
  pace.suspect(7);
  expect(pace.at(6)).toEqual({ limit: 1, oneByOne: true });
  expect(pace.at(7)).toEqual({ limit: 500, oneByOne: false });
});
