// The one place that loads kafkajs: its decoder of records is replaced before anything of it has taken hold of it.
import { createRequire } from 'node:module';
import { quickRecord, type RecordDecoder } from './quick-record.js';

const load = createRequire(import.meta.url);
const DECODER = load.resolve('kafkajs/src/protocol/recordBatch/record/v0/decoder.js');
/** kafkajs's own. */
export const decodeRecord = load(DECODER) as RecordDecoder;

let quick = false;
load.cache[DECODER]!.exports = ((decoder, context) =>
  (quick && quickRecord(decoder, context)) || decodeRecord(decoder, context)) as RecordDecoder;

/** From now on records are decoded by {@link quickRecord} in this process. */
export function decodeQuickly(): void {
  quick = true;
}

const { AssignerProtocol, Kafka, logLevel, ConfigResourceTypes } = load('kafkajs') as typeof import('kafkajs');
export { AssignerProtocol, ConfigResourceTypes, Kafka, logLevel };
