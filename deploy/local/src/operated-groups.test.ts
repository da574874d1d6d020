import { expect, it } from 'vitest';
import { environmentOf, readOperation } from './operated-groups.js';

it.each([
  [['dlq', 'list', '--group', 'email', '--all'], ['email'], ['dlq', 'list', '--all']],
  [['dlq', 'replay', '--group=audit', 'evt-1', '--why', 'x'], ['audit'], ['dlq', 'replay', 'evt-1', '--why', 'x']],
  [['groups', '--group', 'audit', 'pause'], ['audit'], ['groups', 'pause']],
  [
    ['groups', 'lag', '--json'],
    ['email', 'audit', 'analytics', 'invoices', 'reminder'],
    ['groups', 'lag', '--json'],
  ],
])('finds the group in %j', (args, groups, rest) => {
  expect(readOperation(args)).toEqual({ groups, args: rest });
});

it.each([
  [
    ['dlq', 'list'],
    'which group? --group email | audit | analytics | invoices | reminder (what there is to do: libs/consumer/OPERATING.md)',
  ],
  [
    ['groups', 'pause', '--why', 'x'],
    'which group? --group email | audit | analytics | invoices | reminder (what there is to do: libs/consumer/OPERATING.md)',
  ],
  [['dlq', 'list', '--group', 'mail'], 'no group "mail": one of email, audit, analytics, invoices, reminder'],
  [['dlq', 'list', '--group'], '--group has no value: one of email, audit, analytics, invoices, reminder'],
  [['dlq', 'list', '--group', '--json'], '--group has no value: one of email, audit, analytics, invoices, reminder'],
])('says in a line what is wrong with %j', (args, message) => {
  expect(() => readOperation(args)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});

const running = { kafkaBrokers: 'kafka:9092', databaseUrl: 'postgres://u:p@db:5432/postgres' };

it("finds a group's own database on the server of the system that serves here, unless told another", () => {
  expect(environmentOf('audit', { namespace: 'demo-1', running, serving: [], env: { PATH: '/bin', SECRET: 'x' } })).toEqual({
    PATH: '/bin',
    KAFKA_BROKERS: 'kafka:9092',
    DATABASE_URL: 'postgres://u:p@db:5432/demo_1_audit',
    SHOPFLOW_NAMESPACE: 'demo-1',
  });
  const env = { KAFKA_BROKERS: 'other:9092', DATABASE_URL: 'postgres://elsewhere/audit' };
  expect(environmentOf('audit', { namespace: 'demo-1', running, serving: [], env })).toMatchObject(env);
});

it('says what to do where nothing serves', () => {
  const env = { KAFKA_BROKERS: 'kafka:9092' };
  const looking = (serving: string[]) => () => environmentOf('audit', { namespace: 'demo-1', running: undefined, serving, env });
  expect(looking([])).toThrow(
    "ShopFlow does not run here in namespace demo-1 (nor in any other): run npm start, or set KAFKA_BROKERS and DATABASE_URL (audit's own database)",
  );
  expect(looking(['shopflow', 'demo-2'])).toThrow(
    'in namespace demo-1 (but in shopflow, demo-2: SHOPFLOW_NAMESPACE chooses): run npm start',
  );
});
