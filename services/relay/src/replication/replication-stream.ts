import type { Socket } from 'node:net';
import type { Lsn } from './lsn.js';
import { MessageFramer } from './message-framer.js';
import { type PgOutput, readPgOutput } from './pgoutput.js';
import { SILENCE_MS } from './replication-connection.js';
import { readServerError } from './server-error.js';
import { copyData, queryMessage, standbyStatus, TERMINATE } from './wire-messages.js';

export interface StreamListener {
  output(output: PgOutput): void;
  /** The server has read its log up to `lsn` and everything of it that is for us has been passed to `output`. */
  keepalive(lsn: Lsn, replyWanted: boolean): void;
}

/**
 * The stream of one slot. Takes the socket over from pg, whose parser reuses its buffer; the messages are those of
 * https://www.postgresql.org/docs/current/protocol-replication.html
 */
export class ReplicationStream {
  private readonly framer = new MessageFramer();
  private readonly starting = Promise.withResolvers<void>();
  private readonly ending = Promise.withResolvers<never>();
  private heardAt = Date.now();
  private suspected = false;

  private constructor(
    private readonly socket: Socket,
    private readonly listener: StreamListener,
  ) {
    this.ending.promise.catch(() => {}); // whoever waits for it is told; that nobody waits yet is no fault
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('Connection terminated by the server')));
  }

  /** @throws ServerError, e.g. 55006 when another relay has the slot */
  static async start(socket: Socket, command: string, listener: StreamListener): Promise<ReplicationStream> {
    const stream = new ReplicationStream(socket, listener);
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

  /** Ends the stream; the server frees the slot as soon as it reads this. */
  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    const closed = new Promise<void>((resolve) => this.socket.once('close', () => resolve()));
    this.socket.write(TERMINATE, () => this.socket.destroySoon());
    this.socket.resume();
    const impatient = setTimeout(() => this.socket.destroy(), CLOSE_MS);
    await closed;
    clearTimeout(impatient);
  }

  private receive(chunk: Buffer): void {
    this.heardAt = Date.now();
    try {
      this.framer.push(chunk, (type, body) => this.handle(type, body));
    } catch (error) {
      this.socket.destroy(error as Error);
    }
  }

  private handle(type: number, body: Buffer): void {
    switch (String.fromCharCode(type)) {
      case 'd':
        return this.handleCopyData(body);
      case 'W': // CopyBothResponse: the stream begins
        return this.starting.resolve();
      case 'E':
        return this.fail(readServerError(body));
      case 'c': // CopyDone: the server shuts down
        return this.fail(new Error('Connection terminated: the server ends the stream'));
    }
  }

  private handleCopyData(body: Buffer): void {
    if (body[0] === 0x77 /* w: XLogData, after 24 bytes of positions and time */) {
      const output = readPgOutput(body.subarray(25));
      if (output !== undefined) this.listener.output(output);
    } else if (body[0] === 0x6b /* k: keepalive */) {
      this.listener.keepalive(body.readBigUInt64BE(1), body[17] === 1);
    }
  }

  private fail(error: Error): void {
    this.starting.reject(error);
    this.ending.reject(error);
  }
}

const CLOSE_MS = 500;
