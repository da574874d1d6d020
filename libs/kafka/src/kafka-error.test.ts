import { MultipleErrors, NetworkError, ProtocolError, TimeoutError, UserError } from '@platformatic/kafka';
import { describe, expect, it } from 'vitest';
import { classifyKafkaError, kafkaErrorReason, KafkaSendError } from './kafka-error.js';

const tooLarge = () => new ProtocolError('MESSAGE_TOO_LARGE');
const moved = () => new ProtocolError('NOT_LEADER_OR_FOLLOWER');

describe('classifyKafkaError', () => {
  it('calls an outage what passes by itself', () => {
    for (const error of [new NetworkError('Connection closed'), new TimeoutError('Request timed out'), moved()]) {
      expect(classifyKafkaError(error)).toBe('outage');
    }
  });

  it('calls refused what the broker will refuse again', () => {
    expect(classifyKafkaError(new MultipleErrors('Producing messages failed.', [tooLarge()]))).toBe('refused');
  });

  it('calls the rest other, whatever it is', () => {
    const missing = new UserError('Unknown topic x.');
    for (const error of [missing, new ProtocolError('TOPIC_AUTHORIZATION_FAILED'), new TypeError('x'), 'x', null, undefined, {}]) {
      expect(classifyKafkaError(error)).toBe('other');
    }
  });

  it('waits for the outage first when a send failed for several reasons', () => {
    const both = new MultipleErrors('a', [new MultipleErrors('b', [tooLarge(), moved()])]);
    expect(classifyKafkaError(both)).toBe('outage');
    expect(classifyKafkaError(new MultipleErrors('a', [tooLarge(), new UserError('Unknown topic x.')]))).toBe('other');
  });

  it('keeps what a failed send was classified as', () => {
    expect(classifyKafkaError(new KafkaSendError('refused', ['t'], 'x'))).toBe('refused');
  });
});

it('tells the innermost reasons, each once', () => {
  const error = new MultipleErrors('Producing messages failed.', [
    new NetworkError('Connection to kafka:9092 failed.', { cause: new Error('ECONNREFUSED') }),
    new MultipleErrors('x', [tooLarge(), tooLarge()]),
  ]);
  expect(kafkaErrorReason(error)).toMatch(/^Connection to kafka:9092 failed. \(ECONNREFUSED\); MESSAGE_TOO_LARGE \([^;]+$/);
});
