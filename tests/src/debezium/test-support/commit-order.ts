import { withClient } from '@shopflow/servers';

/** A second slot that tells what was committed and in which order, whatever the publishers make of it. */
export class CommitOrder {
  private constructor(
    private readonly databaseUrl: string,
    private readonly slot: string,
  ) {}

  /** Waits until every transaction has ended that is writing, in any database of the server. */
  static async open(databaseUrl: string, slot: string): Promise<CommitOrder> {
    await withClient(databaseUrl, (client) => client.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]));
    return new CommitOrder(databaseUrl, slot);
  }

  /** Ids of all events that were committed since it was opened. Asked once. */
  async eventIds(): Promise<string[]> {
    const { rows } = await withClient(this.databaseUrl, (client) =>
      client.query<{ data: Buffer }>(
        `SELECT data FROM pg_logical_slot_get_binary_changes($1, NULL, NULL, 'proto_version', '1', 'publication_names', 'shopflow_outbox')`,
        [this.slot],
      ),
    );
    return rows.filter(({ data }) => data[0] === INSERT).map(({ data }) => secondColumn(data));
  }
}

const INSERT = 'I'.charCodeAt(0);
/** Behind the letter, the table's id, the letter N and the number of columns. */
const FIRST_COLUMN = 8;
/** The letter t and the length. */
const COLUMN_HEAD = 5;

/** `id` comes behind `seq`. */
function secondColumn(insert: Buffer): string {
  const at = FIRST_COLUMN + COLUMN_HEAD + insert.readInt32BE(FIRST_COLUMN + 1);
  const start = at + COLUMN_HEAD;
  return insert.toString('utf8', start, start + insert.readInt32BE(at + 1));
}
