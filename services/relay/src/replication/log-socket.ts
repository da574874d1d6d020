import { Socket } from 'node:net';
import { type EachMessage, MessageFramer } from './message-framer.js';

/**
 * A socket that reads into one buffer, over and over: a stream's own reading makes a new one of 64 kB for each chunk, and the garbage
 * of a busy minute is larger than all else that a relay holds. Until it is taken over it serves pg like any other.
 */
export class LogSocket {
  readonly socket: Socket;
  private readonly framer = new MessageFramer();
  private takenOver: { current: Socket; each: EachMessage; afterwards: (bytes: number) => void } | undefined;

  constructor() {
    this.socket = new Socket({
      onread: { buffer: () => this.framer.room, callback: (count, bytes) => this.received(count, bytes as Buffer) },
    });
  }

  /**
   * From now on every message goes to `each`.
   *
   * @param current what pg reads from: not our socket when it speaks TLS over it
   * @param afterwards told after each chunk how many bytes it had
   */
  takeOver(current: Socket, each: EachMessage, afterwards: (bytes: number) => void): void {
    current.removeAllListeners('data');
    this.takenOver = { current, each, afterwards };
    if (current !== this.socket) current.on('data', (chunk: Buffer) => this.pushed(chunk));
  }

  private received(count: number, bytes: Buffer): boolean {
    if (this.takenOver === undefined) this.socket.emit('data', Buffer.from(bytes.subarray(0, count)));
    else this.handle(count, (each) => this.framer.received(count, each));
    return true;
  }

  private pushed(chunk: Buffer): void {
    this.handle(chunk.length, (each) => this.framer.push(chunk, each));
  }

  private handle(count: number, frame: (each: EachMessage) => void): void {
    const { current, each, afterwards } = this.takenOver!;
    try {
      frame(each);
    } catch (error) {
      current.destroy(error as Error);
    }
    afterwards(count);
  }
}
