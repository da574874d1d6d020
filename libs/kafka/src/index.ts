export { connectKafka } from './connect.js';
export { ensureTopics, type TopicSpec } from './ensure-topics.js';
export { type EventHeaders, headerNames, headerText, type RawHeaders, writeHeaders } from './headers.js';
export { classifyKafkaError, type KafkaErrorKind, kafkaErrorReason, KafkaSendError } from './kafka-error.js';
export { logicalTopic, physicalGroup, physicalTopic } from './names.js';
export { partitionOfKey } from './partition-of-key.js';
export { type HeaderValue, KafkaProducer, type KafkaProducerOptions, type ProducerRecord } from './producer.js';
