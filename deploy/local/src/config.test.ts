import { ConfigError } from '@shopflow/config';
import { expect, it } from 'vitest';
import { readStartConfig } from './config.js';

it('has fixed ports in the default namespace', () => {
  const { namespace, ports, serverPorts } = readStartConfig({});
  expect(namespace).toBe('shopflow');
  expect(ports).toEqual({
    orders: 3001,
    email: 3002,
    audit: 3003,
    analytics: 3004,
    relay: 3005,
    invoices: 3006,
    reminder: 3007,
    'mail-provider': 3025,
  });
  expect(serverPorts).toEqual({ kafka: 19092, kafkaController: 19093, postgres: 15432 });
});

it('takes free ports in another namespace, so that it runs beside the default one', () => {
  const { ports, serverPorts } = readStartConfig({ SHOPFLOW_NAMESPACE: 'demo' });
  expect([...Object.values(ports), ...Object.values(serverPorts)]).toEqual(Array.from({ length: 11 }, () => 0));
});

it('takes the ports that it is told, in any namespace', () => {
  expect(readStartConfig({ EMAIL_PORT: '4002', KAFKA_PORT: '' })).toMatchObject({ ports: { email: 4002 }, serverPorts: { kafka: 19092 } });
  expect(readStartConfig({ SHOPFLOW_NAMESPACE: 'demo', MAIL_PROVIDER_PORT: '4025' }).ports['mail-provider']).toBe(4025);
});

it('names every setting that is wrong', () => {
  const reading = () => readStartConfig({ SHOPFLOW_NAMESPACE: 'Two words', ORDERS_PORT: '70000' });
  expect(reading).toThrow(ConfigError);
  expect(reading).toThrow(/SHOPFLOW_NAMESPACE is "Two words"[^]*ORDERS_PORT is "70000"/);
});
