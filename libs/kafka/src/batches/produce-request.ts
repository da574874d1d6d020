import type { Connection, Writer } from '@platformatic/kafka';
import type { RecordBatch } from './record-batch.js';

export type KafkaModule = typeof import('@platformatic/kafka');

/** What the broker answered for one partition: code 0 when it has written the batch. */
export interface PartitionAnswer {
  readonly topic: string;
  readonly partition: number;
  readonly code: number;
  readonly message: string | null;
}

const PRODUCE = 0;
/** Kafka 2.8 and later; the newest that a batch without transactions needs. */
const VERSION = 9;
const ALL_IN_SYNC = -1;

/** Sends batches whose partitions this broker leads, each already sealed. @throws what kept the request from being answered */
export function produce(
  kafka: KafkaModule,
  connection: Connection,
  batches: ReadonlyMap<RecordBatch, Buffer>,
  timeoutMs: number,
): Promise<PartitionAnswer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<PartitionAnswer[]>();
  connection.send(
    PRODUCE,
    VERSION,
    () => request(kafka, batches, timeoutMs),
    (...answer) => readAnswer(kafka, ...answer),
    true,
    true,
    (error, answers) => (error ? reject(error) : resolve(answers!)),
  );
  return promise;
}

function request(kafka: KafkaModule, batches: ReadonlyMap<RecordBatch, Buffer>, timeoutMs: number): Writer {
  const topics = Map.groupBy(batches, ([batch]) => batch.topic);
  return kafka.Writer.create()
    .appendString(null)
    .appendInt16(ALL_IN_SYNC)
    .appendInt32(timeoutMs)
    .appendArray([...topics], (writer, [topic, partitions]) => {
      writer.appendString(topic).appendArray(partitions, (inner, [{ partition }, bytes]) => {
        inner
          .appendInt32(partition)
          .appendUnsignedVarInt(bytes.length + 1)
          .append(bytes);
      });
    })
    .appendTaggedFields();
}

type ParseAnswer = KafkaModule['produceV9']['parseResponse'];

function readAnswer(kafka: KafkaModule, ...args: Parameters<ParseAnswer>): PartitionAnswer[] {
  const { responses } = parse(kafka, args);
  return responses.flatMap(({ name, partitionResponses }) =>
    partitionResponses.map(({ index, errorCode, errorMessage }) => ({
      topic: name,
      partition: index,
      code: errorCode,
      message: errorMessage ?? null,
    })),
  );
}

/** The client throws when one partition was refused, with the whole answer beside the error. */
function parse(kafka: KafkaModule, args: Parameters<ParseAnswer>): ReturnType<ParseAnswer> {
  try {
    return kafka.produceV9.parseResponse(...args);
  } catch (error) {
    if (error instanceof kafka.ResponseError) return error['response'] as ReturnType<ParseAnswer>;
    throw error;
  }
}
