export { eventually, NotInTimeError } from './eventually.js';
export { outboxFaults, type OutboxRow } from './outbox-faults.js';
export { createTestDatabase, databaseServerUrl, LeakedConnectionsError, type TestDatabase } from './test-database.js';
export { kafkaBrokers, testKafka, type TestTopicOptions, uniqueNamespace, uniqueTopic } from './test-kafka.js';
export { type ReadRecord, readTopic } from './read-topic.js';
export { testLogger } from './test-logger.js';
