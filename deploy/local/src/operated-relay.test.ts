import { expect, it } from 'vitest';
import { relayEnvironment } from './operated-relay.js';

const running = { kafkaBrokers: 'kafka:9092', databaseUrl: 'postgres://u:p@db:5432/postgres', relayUrl: 'http://127.0.0.1:3005' };

it('finds the outboxes of the system that serves here, and its relay', () => {
  const env = relayEnvironment({ namespace: 'demo-1', running, serving: ['demo-1'], env: { PATH: '/bin', SECRET: 'x' } });
  expect({ ...env, RELAY_SOURCES: JSON.parse(env['RELAY_SOURCES'] ?? '') as unknown }).toEqual({
    PATH: '/bin',
    RELAY_SOURCES: [
      { name: 'orders', databaseUrl: 'postgres://u:p@db:5432/demo_1_orders' },
      { name: 'invoices', databaseUrl: 'postgres://u:p@db:5432/demo_1_invoices' },
      { name: 'reminder', databaseUrl: 'postgres://u:p@db:5432/demo_1_reminder' },
      { name: 'email', databaseUrl: 'postgres://u:p@db:5432/demo_1_email' },
    ],
    RELAY_URLS: 'http://127.0.0.1:3005',
    SHOPFLOW_NAMESPACE: 'demo-1',
  });
});

it('takes the outboxes that it is given', () => {
  const given = { RELAY_SOURCES: '[…]', RELAY_URLS: 'http://relay:1' };
  expect(relayEnvironment({ namespace: 'demo-1', running: undefined, serving: [], env: given })).toEqual({
    ...given,
    SHOPFLOW_NAMESPACE: 'demo-1',
  });
});

it('says what to do where nothing serves', () => {
  const looking = () => relayEnvironment({ namespace: 'demo-1', running: undefined, serving: ['shopflow'], env: {} });
  expect(looking).toThrow(
    'ShopFlow does not run here in namespace demo-1 (but in shopflow: SHOPFLOW_NAMESPACE chooses): run npm start, or set RELAY_SOURCES',
  );
});
