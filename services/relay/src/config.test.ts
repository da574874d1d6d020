import { ConfigError } from '@shopflow/config';
import { expect, it } from 'vitest';
import { readRelayConfig } from './config.js';

const orders = { name: 'orders', databaseUrl: 'postgres://app:secret@db:5432/orders' };
const read = (sources: string) => readRelayConfig({ KAFKA_BROKERS: 'kafka:9092', RELAY_SOURCES: sources });
const faults = (sources: string) => {
  try {
    read(sources);
  } catch (error) {
    return (error as ConfigError).faults;
  }
  return [];
};

it('reads the list of sources', () => {
  const email = { name: 'email', databaseUrl: 'postgres://app@db/email' };
  expect(read(JSON.stringify([orders, email]))).toMatchObject({ port: 3005, shopflowNamespace: 'shopflow', sources: [orders, email] });
});

it('names every fault of the list at once, without the passwords in it', () => {
  expect(faults(JSON.stringify([{ name: 'Orders' }, { ...orders, databaseUrl: 'mysql://app:secret@db/x' }, null]))).toEqual([
    'RELAY_SOURCES source 1 needs a name like orders: small letters, digits and dashes',
    'RELAY_SOURCES source 1 needs a databaseUrl like postgres://user:password@host:port/database',
    'RELAY_SOURCES source 2 needs a databaseUrl like postgres://user:password@host:port/database',
    'RELAY_SOURCES source 3 needs a name like orders: small letters, digits and dashes',
    'RELAY_SOURCES source 3 needs a databaseUrl like postgres://user:password@host:port/database',
  ]);
  expect(faults(JSON.stringify([orders, orders]))).toEqual([
    'RELAY_SOURCES source 2 repeats the name of another one',
    'RELAY_SOURCES source 2 repeats the databaseUrl of another one',
  ]);
});

it.each(['orders', '{}', '[]', '[{'])('refuses %j, which is no list of sources', (text) => {
  expect(faults(text)).toEqual([expect.stringContaining('is not a JSON list with at least one source; wanted: [{"name":"orders"')]);
});

it('refuses to delete what may still be published again', () => {
  const days = (text: string) =>
    readRelayConfig({ KAFKA_BROKERS: 'kafka:9092', RELAY_SOURCES: JSON.stringify([orders]), OUTBOX_RETENTION_DAYS: text });
  expect(days('').outboxRetentionDays).toBe(35);
  expect(days('32').outboxRetentionDays).toBe(32);
  expect(() => days('31')).toThrow('OUTBOX_RETENTION_DAYS is 31; wanted: at least 32, as events can be published again for 31 days');
});
