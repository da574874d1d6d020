/** For a partition; a held event has one beside, that counts its start. */
const AT_LEAST = 2;
/** What a group does beside its partitions, with a connection for each: dead letters, pruning, an operator's pause. */
const BESIDE = 3;

/** The pool has fewer connections than the group may want at once: its parts would wait for each other. */
export class PoolTooSmallError extends Error {
  constructor(poolSize: number, wanted: number, { concurrency, lanes }: PoolUse) {
    super(
      `the database's poolSize is ${poolSize}, and the group may use ${wanted} connections at once ` +
        `(concurrency ${concurrency} × lanes ${lanes}, ${AT_LEAST} at least, + ${BESIDE}): raise poolSize of DatabaseModule.forRoot, or lower concurrency or lanes`,
    );
    this.name = 'PoolTooSmallError';
  }
}

interface PoolUse {
  readonly concurrency: number;
  readonly lanes: number;
}

/** @throws PoolTooSmallError */
export function refuseSmallPool(poolSize: number, use: PoolUse): void {
  const wanted = use.concurrency * Math.max(use.lanes, AT_LEAST) + BESIDE;
  if (poolSize < wanted) throw new PoolTooSmallError(poolSize, wanted, use);
}
