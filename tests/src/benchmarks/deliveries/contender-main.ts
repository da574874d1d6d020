// The process of one contender. It is told `prepare`, `start` and `stop`, and answers each when it is done.
import type { Contender, Loaded, Work } from './contender.js';

export type Order = 'prepare' | 'start' | 'stop';

const [file, variant, work] = JSON.parse(process.argv[2]!) as [string, string | null, Work];
const { contenderOf } = (await import(`./contenders/${file}.js`)) as { contenderOf: (variant?: string) => Contender };
const contender = contenderOf(variant ?? undefined);
let loaded: Loaded | undefined;

const orders: Readonly<Record<Order, () => Promise<void> | void>> = {
  prepare: async () => {
    await contender.prepare(work);
    loaded = await contender.load(work);
  },
  start: () => loaded?.start(),
  stop: () => loaded?.stop(),
};

process.on('message', (order: Order) => {
  void Promise.resolve(orders[order]()).then(
    () => process.send!({ order }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
