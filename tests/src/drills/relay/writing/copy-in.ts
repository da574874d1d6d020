import type { Client } from 'pg';

/** What pg calls on its connection; its types leave it out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** COPY … FROM STDIN: its rows share one position in the write-ahead log. @param lines in COPY's text format */
export function copyIn(client: Client, command: string, lines: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const submittable = {
    submit: (connection: CopyConnection) => connection.query(command),
    handleCopyInResponse(connection: CopyConnection) {
      connection.sendCopyFromChunk(Buffer.from(lines.map((line) => `${line}\n`).join('')));
      connection.endCopyFrom();
    },
    handleCommandComplete() {},
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(error),
  };
  void client.query(submittable as unknown as Parameters<Client['query']>[0]);
  return promise;
}
