import type { Client, Connection, Submittable } from 'pg';

type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

/** `COPY … FROM STDIN` with these lines; pg has the messages for it, but no call. */
export function copyRows(client: Client, copy: string, lines: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const submittable = {
    submit: (connection: Connection) => connection.query(copy),
    handleCopyInResponse: (connection: CopyConnection) => {
      connection.sendCopyFromChunk(Buffer.from(lines));
      connection.endCopyFrom();
    },
    handleCommandComplete: () => {},
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(error),
  };
  client.query(submittable as Submittable);
  return promise;
}
