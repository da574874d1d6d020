import { randomBytes } from 'node:crypto';

let counter = 0;
const suffix = () => `${randomBytes(3).toString('hex')}${(counter++).toString(36)}`;

export const topicPrefix = (runId: string): string => `test-${runId}-`;
export const databasePrefix = (runId: string): string => `test_${runId}_`;

/** A topic name or namespace that nothing else uses; removed at the end of the run, with all topics that begin with it. */
export const newTopicName = (runId: string): string => `${topicPrefix(runId)}${suffix()}`;

/** A database name that needs no quotes and that nothing else uses. */
export const newDatabaseName = (runId: string): string => `${databasePrefix(runId)}${suffix()}`;
