import type { Socket } from 'node:net';
import type { Lsn } from './lsn.js';
import { Breath } from './breath.js';
import type { LogSocket } from './log-socket.js';
import type { EachMessage } from './message-framer.js';
import { BEGIN, COMMIT, commitEnd, INSERT, type PgOutput, readPgOutput } from './pgoutput.js';
import { type ReplicationConnection, SILENCE_MS } from './replication-connection.js';
import { readServerError } from './server-error.js';
import { copyData, queryMessage, standbyStatus, TERMINATE } from './wire-messages.js';

export interface StreamListener {
  begin(): void;
  /** @param end the position after it */
  commit(end: Lsn): void;
  /** An insert's message is `bytes[start, end)`, only until this returns. */
  insert(bytes: Buffer, start: number, end: number): void;
  output(output: PgOutput): void;
  /** The server has read its log up to `lsn` and everything of it that is for us has been passed on. */
  keepalive(lsn: Lsn, replyWanted: boolean): void;
}

/**
 * The stream of one slot. Takes the socket over from pg; the messages are those of
 * https://www.postgresql.org/docs/current/protocol-replication.html
 */
export class ReplicationStream {
  private readonly breath = new Breath();
  private readonly starting = Promise.withResolvers<void>();
  private readonly ending = Promise.withResolvers<never>();
  private heardAt = Date.now();
  private suspected = false;

  private constructor(
    private readonly socket: Socket,
    logSocket: LogSocket,
    private readonly listener: StreamListener,
  ) {
    this.ending.promise.catch(() => {}); // whoever waits for it is told; that nobody waits yet is no fault
    logSocket.takeOver(socket, this.handle, (bytes) => this.received(bytes));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('Connection terminated by the server')));
  }

  /** Paused until {@link resume}. @throws ServerError, e.g. 55006 when another relay has the slot */
  static async start(
    { socket, logSocket }: Pick<ReplicationConnection, 'socket' | 'logSocket'>,
    command: string,
    listener: StreamListener,
  ): Promise<ReplicationStream> {
    const stream = new ReplicationStream(socket, logSocket, listener);
    socket.write(queryMessage(command));
    await stream.starting.promise;
    return stream;
  }

  /** Never resolves; rejects when the stream has ended for whatever reason. */
  get ended(): Promise<never> {
    return this.ending.promise;
  }

  /** The server goes on sending into the socket's buffers and then waits: what we hold is bounded. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.heardAt = Date.now();
    this.socket.resume();
  }

  /** Tells the server that everything up to `lsn` is done and need not be sent again. */
  acknowledge(lsn: Lsn): void {
    if (this.socket.writable) this.socket.write(copyData(standbyStatus(lsn, Date.now())));
  }

  /**
   * Gives the connection up when the server, which sends something every few seconds, has fallen silent. Only at the second
   * look: a process that was frozen has what came meanwhile still to read.
   */
  checkSilence(now: number): void {
    const silent = !this.socket.isPaused() && now - this.heardAt >= 2 * SILENCE_MS;
    if (silent && this.suspected) this.socket.destroy(new Error('Connection terminated: the server has fallen silent'));
    this.suspected = silent;
  }

  /** Ends the stream. The server frees the slot before it closes the connection, and that is waited for. */
  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    const closed = new Promise<void>((resolve) => this.socket.once('close', () => resolve()));
    this.socket.write(TERMINATE);
    this.socket.resume(); // what still comes stands before its end
    const impatient = setTimeout(() => this.socket.destroy(), CLOSE_MS);
    await closed;
    clearTimeout(impatient);
  }

  private received(bytes: number): void {
    this.heardAt = Date.now();
    if (bytes < GULP_BYTES) this.breath.take();
  }

  private readonly handle: EachMessage = (type, bytes, start, end) => {
    switch (type) {
      case COPY_DATA:
        return this.handleCopyData(bytes, start, end);
      case COPY_BOTH: // the stream begins, and nobody is ready for it yet
        this.socket.pause();
        return this.starting.resolve();
      case ERROR:
        return this.fail(readServerError(bytes.subarray(start, end)));
      case COPY_DONE: // the server shuts down
        return this.fail(new Error('Connection terminated: the server ends the stream'));
    }
  };

  private handleCopyData(bytes: Buffer, start: number, end: number): void {
    if (bytes[start] === LOG_DATA) {
      this.handleLogData(bytes, start + LOG_DATA_HEADER, end);
    } else if (bytes[start] === KEEPALIVE) {
      this.listener.keepalive(bytes.readBigUInt64BE(start + 1), bytes[start + 17] === 1);
    }
  }

  private handleLogData(bytes: Buffer, start: number, end: number): void {
    switch (bytes[start]!) {
      case INSERT:
        return this.listener.insert(bytes, start, end);
      case COMMIT:
        return this.listener.commit(commitEnd(bytes, start));
      case BEGIN:
        return this.listener.begin();
    }
    const output = readPgOutput(bytes.subarray(start, end));
    if (output !== undefined) this.listener.output(output);
  }

  private fail(error: Error): void {
    this.starting.reject(error);
    this.ending.reject(error);
  }
}

const CLOSE_MS = 500;
const [COPY_DATA, COPY_BOTH, COPY_DONE, ERROR] = [0x64, 0x57, 0x63, 0x45]; // d W c E
const [LOG_DATA, KEEPALIVE] = [0x77, 0x6b]; // w k
/** Type, positions and time. */
const LOG_DATA_HEADER = 25;
/** A chunk that is smaller has left nothing to read. */
const GULP_BYTES = 16 * 1024;
