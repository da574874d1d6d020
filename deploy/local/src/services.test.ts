import { topics } from '@shopflow/contracts';
import { expect, it } from 'vitest';
import { topicsOf } from './create-topics.js';
import { databaseName, databaseUrlOf } from './names.js';
import { defaultPorts, type EnvironmentContext, processNames, settingsOf } from './services.js';

const context: EnvironmentContext = {
  namespace: 'demo-1',
  servers: { kafkaBrokers: 'kafka:9092', databaseUrl: 'postgres://u:p@db:5432/postgres?sslmode=require' },
  ports: defaultPorts,
  logLevel: 'warn',
};

it('gives databases names that need no quotes', () => {
  expect(databaseName('demo-1', 'orders')).toBe('demo_1_orders');
});

it('keeps everything of the server URL but the database', () => {
  expect(databaseUrlOf(context.servers.databaseUrl, 'demo-1', 'audit')).toBe('postgres://u:p@db:5432/demo_1_audit?sslmode=require');
});

it('tells each service its own database alone, and the relay those that have an outbox', () => {
  const databases = processNames.map((name) => {
    const { DATABASE_URL = '', RELAY_SOURCES = '' } = settingsOf(name, context);
    return [name, ...`${DATABASE_URL}${RELAY_SOURCES}`.matchAll(/demo_1_\w+/g)].map(String);
  });
  expect(databases).toEqual([
    ['mail-provider'],
    ['orders', 'demo_1_orders'],
    ['invoices', 'demo_1_invoices'],
    ['reminder', 'demo_1_reminder'],
    ['relay', 'demo_1_orders', 'demo_1_invoices', 'demo_1_reminder', 'demo_1_email'],
    ['email', 'demo_1_email'],
    ['audit', 'demo_1_audit'],
    ['analytics', 'demo_1_analytics'],
  ]);
});

it('gives a further instance everything of its service but the port', () => {
  const { PORT, ...rest } = settingsOf('email-2', { ...context, ports: { ...defaultPorts, 'email-2': 4002 } });
  const { PORT: _first, ...first } = settingsOf('email', context);
  expect([PORT, rest]).toEqual(['4002', first]);
});

it('creates every topic of the manifest and a dead-letter topic per group that takes larger records', () => {
  const specs = topicsOf('demo-1');
  expect(specs.map(({ topic }) => topic)).toEqual([
    ...Object.values(topics).map(({ name }) => `demo-1.${name}`),
    'demo-1.email.dlq',
    'demo-1.audit.dlq',
    'demo-1.analytics.dlq',
    'demo-1.invoices.dlq',
    'demo-1.reminder.dlq',
  ]);
  expect(specs.filter(({ topic }) => topic.endsWith('.dlq'))).toSatisfy((dlqs: typeof specs) =>
    dlqs.every(({ maxMessageBytes, retentionMs }) => maxMessageBytes === 1_048_588 + 16_384 && retentionMs === 30 * 86_400_000),
  );
});
