import type { Random } from '../../consumer/random.js';

/** Some events of one key, written by one statement. */
export interface Step {
  readonly key: string;
  readonly rows: number;
  /** One INSERT for each row, one for all of them, or COPY. */
  readonly how: 'each' | 'together' | 'copy';
  /** Around the step; the events of one that is rolled back never were. */
  readonly savepoint: 'none' | 'released' | 'rolled back';
  readonly pauseMs: number;
}

/** What a transaction does. */
export interface Plan {
  readonly steps: readonly Step[];
  /** Between the last insert and the end. */
  readonly pauseMs: number;
  readonly end: 'commit' | 'rollback';
}

const MANY = 0.02;
const SEVERAL = 0.25;

/** Keys come in their order, so that no two transactions wait for each other; few of them are busy, most are not. */
export function drawPlan(random: Random, keys: number): Plan {
  const count = random.chance(0.6) ? 1 : 2 + random.below(3);
  const chosen = new Set(Array.from({ length: count }, () => Math.floor(random.next() ** 2 * keys)));
  const steps = [...chosen].toSorted((a, b) => a - b).flatMap((number) => drawSteps(random, `ORD-${number}`));
  return { steps, pauseMs: drawPause(random), end: random.chance(0.1) ? 'rollback' : 'commit' };
}

function drawSteps(random: Random, key: string): Step[] {
  const step = drawStep(random, key);
  const again = step.savepoint === 'rolled back' && random.chance(0.5);
  return again ? [step, { ...drawStep(random, key), savepoint: 'none' }] : [step];
}

function drawStep(random: Random, key: string): Step {
  const size = random.next();
  const rows = size < MANY ? 50 + random.below(300) : size < MANY + SEVERAL ? 2 + random.below(8) : 1;
  const how = rows > 10 ? random.one(['together', 'copy'] as const) : random.one(['each', 'together', 'copy'] as const);
  const luck = random.next();
  const savepoint = luck < 0.1 ? 'rolled back' : luck < 0.2 ? 'released' : 'none';
  return { key, rows, how, savepoint, pauseMs: random.chance(0.3) ? random.between(0, 10) : 0 };
}

/** Mostly short; now and then others commit long before with higher numbers. */
const drawPause = (random: Random): number => (random.chance(0.04) ? random.between(200, 1_500) : random.between(0, 15));
