import type { RecordBatch } from './record-batch.js';

export type KafkaModule = typeof import('@platformatic/kafka');

/** What the broker answered for one partition: code 0 when it has written the batch. */
export interface PartitionAnswer {
  readonly topic: string;
  readonly partition: number;
  readonly code: number;
  readonly message: string | null;
}

export interface RequestHead {
  readonly clientId: string;
  /** Comes back with the answer. */
  readonly correlation: number;
  /** How long the broker waits for its replicas. */
  readonly brokerMs: number;
}

const PRODUCE = 0;
/** Kafka 2.8 and later; the newest that a batch without transactions needs. */
const VERSION = 9;
const ALL_IN_SYNC = -1;

/** The bytes of a request, the batches' own among them, not copied. https://kafka.apache.org/protocol#The_Messages_Produce */
export function produceRequest(
  { Writer }: KafkaModule,
  batches: ReadonlyMap<RecordBatch, Buffer>,
  { clientId, correlation, brokerMs }: RequestHead,
): readonly Buffer[] {
  return Writer.create()
    .appendInt16(PRODUCE)
    .appendInt16(VERSION)
    .appendInt32(correlation)
    .appendString(clientId, false)
    .appendTaggedFields()
    .appendString(null)
    .appendInt16(ALL_IN_SYNC)
    .appendInt32(brokerMs)
    .appendArray([...Map.groupBy(batches, ([batch]) => batch.topic)], (writer, [topic, partitions]) => {
      writer.appendString(topic).appendArray(partitions, (inner, [{ partition }, bytes]) => {
        inner
          .appendInt32(partition)
          .appendUnsignedVarInt(bytes.length + 1)
          .append(bytes);
      });
    })
    .appendTaggedFields()
    .prependLength().buffers;
}

/** @throws what the client says of an answer that it cannot read */
export function readAnswer(kafka: KafkaModule, bytes: Buffer, correlation: number): PartitionAnswer[] {
  const reader = kafka.Reader.from(bytes);
  const found = reader.readInt32();
  if (found !== correlation) throw new kafka.NetworkError(`The broker answered request ${found} instead of ${correlation}.`);
  reader.readTaggedFields();
  return parse(kafka, reader).responses.flatMap(({ name, partitionResponses }) =>
    partitionResponses.map(({ index, errorCode, errorMessage }) => ({
      topic: name,
      partition: index,
      code: errorCode,
      message: errorMessage ?? null,
    })),
  );
}

type Answer = ReturnType<KafkaModule['produceV9']['parseResponse']>;

/** The client throws when one partition was refused, with the whole answer beside the error. */
function parse(kafka: KafkaModule, reader: InstanceType<KafkaModule['Reader']>): Answer {
  try {
    return kafka.produceV9.parseResponse(0, PRODUCE, VERSION, reader);
  } catch (error) {
    if (error instanceof kafka.ResponseError) return error['response'] as Answer;
    throw error;
  }
}
