import type { EventEmitter } from 'node:events';
import type { EntityManager, QueryRunner } from 'typeorm';

/** A client of node-postgres, with the socket that it does not declare. */
type Connected = EventEmitter & { readonly connection?: { readonly stream: { destroy(): void } } };

/** The connection of one open transaction, and what becomes of it. */
export class OpenConnection {
  private static readonly all = new WeakMap<QueryRunner, OpenConnection>();

  private client: Connected | undefined;
  /** Why it was ended by us. */
  destroyedFor: Error | undefined;
  /** Why it was lost: the driver tells this once, and afterwards only that there is no connection. */
  lostBy: Error | undefined;

  /** @throws Error when the manager is of no open transaction */
  static of({ queryRunner }: EntityManager): OpenConnection {
    const connection = queryRunner && OpenConnection.all.get(queryRunner);
    if (!connection) throw new Error('no open transaction: pass the tx that inTransaction gives, inside its callback');
    return connection;
  }

  watch(runner: QueryRunner, client: Connected): void {
    this.client = client;
    client.on('error', this.lost);
    OpenConnection.all.set(runner, this);
  }

  leave(): void {
    this.client?.removeListener('error', this.lost);
  }

  /**
   * As if it had broken: TypeORM takes a connection that reports an error out of use, and gives it to its pool as one to be
   * ended. That waits for statements that are running; we do not.
   */
  destroy(reason: Error): void {
    this.destroyedFor ??= reason;
    this.client?.emit('error', reason);
    this.client?.connection?.stream.destroy();
  }

  private readonly lost = (error: Error): void => {
    this.lostBy ??= error;
  };
}
