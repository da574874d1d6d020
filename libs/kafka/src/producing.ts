// What a process needs that only writes: without the client that reads, which takes its time and memory.
export { type EventHeaders, headerNames, headerText, type RawHeaders, type RawHeaderValue, writeHeaders } from './headers.js';
export { classifyKafkaError, type KafkaErrorKind, kafkaErrorReason, KafkaSendError } from './kafka-error.js';
export { logicalTopic, physicalGroup, physicalTopic } from './names.js';
export { partitionOfKey } from './partition-of-key.js';
export { KafkaProducer } from './producer.js';
export { type KafkaProducerOptions, loadProducer } from './producer-client.js';
export { BatchProducer, type FailedBatch } from './batches/batch-producer.js';
export { BatchBuffers } from './batches/batch-buffers.js';
export { RecordBatch } from './batches/record-batch.js';
export type { RecordContent } from './batches/record-content.js';
export { PartitionGoneError } from './batches/topic-leaders.js';
export type { WrittenRecord } from './batches/written-record.js';
export { copyBytes } from './batches/copy-bytes.js';
export { varintLength, writeVarint } from './batches/varint.js';
export type { HeaderValue, ProducerRecord } from './producer-record.js';
