import type { Socket } from 'node:net';
import type { KafkaModule, PartitionAnswer } from './produce-request.js';
import { produceRequest, readAnswer } from './produce-request.js';
import type { RecordBatch } from './record-batch.js';

export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

export interface ProduceConnectionOptions {
  readonly clientId: string;
  readonly connectMs: number;
  /** For how long an answer is waited for. */
  readonly answerMs: number;
}

interface Pending {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: Error) => void;
}

const LENGTH_BYTES = 4;

/**
 * A connection on which one produce request at a time is on its way. The client's own joins a request into one new buffer before it
 * writes it; here the batches go to the socket as they are, so that megabytes under way leave no garbage behind.
 */
export class ProduceConnection {
  private correlation = 0;
  private pending: Pending | undefined;
  private received: Buffer[] = [];

  private constructor(
    private readonly kafka: KafkaModule,
    private readonly socket: Socket,
    private readonly options: ProduceConnectionOptions,
  ) {
    for (const event of ['data', 'error', 'close', 'drain']) socket.removeAllListeners(event);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the broker closed the connection')));
  }

  /** The client connects and authenticates; then the socket is ours. @throws NetworkError TimeoutError */
  static async open(kafka: KafkaModule, { host, port }: BrokerAddress, options: ProduceConnectionOptions): Promise<ProduceConnection> {
    const connection = new kafka.Connection(options.clientId, { connectTimeout: options.connectMs });
    connection.on('error', () => {}); // the attempt to connect is told of it too
    await connection.connect(host, port);
    return new ProduceConnection(kafka, connection.socket, options);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /**
   * Sends batches whose partitions this broker leads, each already sealed. Their buffers are read until this resolves or rejects.
   *
   * @throws NetworkError TimeoutError when there was no answer: what was written then is not known
   */
  async produce(batches: ReadonlyMap<RecordBatch, Buffer>, brokerMs: number): Promise<PartitionAnswer[]> {
    this.correlation = (this.correlation + 1) & 0x7fffffff;
    const request = produceRequest(this.kafka, batches, { clientId: this.options.clientId, correlation: this.correlation, brokerMs });
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.pending = { resolve, reject };
    this.write(request);
    const timer = setTimeout(() => this.end(new this.kafka.TimeoutError('Request timed out')), this.options.answerMs);
    try {
      return readAnswer(this.kafka, await promise, this.correlation);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.end(new Error('the connection is closed'));
  }

  private write(buffers: readonly Buffer[]): void {
    if (this.socket.destroyed) return this.fail(new Error('the broker closed the connection'));
    this.socket.cork();
    for (const buffer of buffers) this.socket.write(buffer);
    this.socket.uncork();
  }

  private receive(chunk: Buffer): void {
    this.received.push(chunk);
    const bytes = this.received.length === 1 ? chunk : Buffer.concat(this.received);
    this.received = [bytes];
    if (bytes.length < LENGTH_BYTES || bytes.length < LENGTH_BYTES + bytes.readInt32BE(0)) return;
    this.received = [];
    this.pending?.resolve(bytes.subarray(LENGTH_BYTES));
    this.pending = undefined;
  }

  /** Whatever the socket has not written yet is dropped, so that the batches' buffers are free. */
  private end(error: Error): void {
    this.socket.destroy();
    this.fail(error);
  }

  private fail(error: Error): void {
    const { NetworkError, TimeoutError } = this.kafka;
    this.pending?.reject(error instanceof TimeoutError ? error : new NetworkError('Connection to the broker ended.', { cause: error }));
    this.pending = undefined;
  }
}
