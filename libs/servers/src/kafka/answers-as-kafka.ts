import { connect } from 'node:net';

const API_VERSIONS = 18;
const CORRELATION_ID = 7;

/**
 * Asks one broker for its API versions, the first thing that every client asks: this tells a broker that serves from a port that
 * is merely open. Written by hand because Kafka clients live in libs/kafka, above this library.
 *
 * @throws when nothing listens, or what listens does not answer as a Kafka broker
 */
export function answersAsKafka(host: string, port: number, timeoutMs = 5_000): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const finish = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setTimeout(timeoutMs, () => finish(new Error('no answer')));
    socket.once('error', finish).once('close', () => finish(new Error('the connection was closed')));
    socket.once('data', (answer) => finish(isAnswer(answer) ? undefined : new Error('what listens there is not a Kafka broker')));
    socket.write(request());
  });
}

/** ApiVersions version 0: length, API key, version, correlation id, and -1 for "no client id". */
function request(): Buffer {
  const buffer = Buffer.alloc(14);
  buffer.writeInt32BE(10, 0);
  buffer.writeInt16BE(API_VERSIONS, 4);
  buffer.writeInt16BE(0, 6);
  buffer.writeInt32BE(CORRELATION_ID, 8);
  buffer.writeInt16BE(-1, 12);
  return buffer;
}

const isAnswer = (answer: Buffer) => answer.length >= 8 && answer.readInt32BE(4) === CORRELATION_ID;
