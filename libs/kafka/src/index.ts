export { connectKafka } from './connect.js';
export { ensureTopics, type TopicSpec } from './ensure-topics.js';
export { type EventHeaders, headerNames, headerText, type RawHeaders, writeHeaders } from './headers.js';
export { logicalTopic, physicalGroup, physicalTopic } from './names.js';
