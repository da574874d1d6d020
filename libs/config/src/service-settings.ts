import Type from 'typebox';
import { setting } from './setting.js';

// The settings that services have in common, each with one meaning everywhere.

/** Signs tokens where nobody has set a key; good for development alone. */
export const DEVELOPMENT_KEY = 'development-key-that-everybody-knows';

/** What it takes to sign and to check the tokens of organizations. */
export const organizationSettings = {
  organizationKey: Type.String({
    minLength: 32,
    default: DEVELOPMENT_KEY,
    description: 'signs the tokens by which requests name their organization (HS256, at least 32 characters)',
  }),
};

/** Where a service listens, how much it says and whom it believes. */
export const serviceSettings = (defaults: { port: number }) => ({
  host: setting.text({ default: '127.0.0.1', meaning: 'address to listen on' }),
  port: setting.port({ default: defaults.port, meaning: 'HTTP port; 0 takes a free one' }),
  ...organizationSettings,
  logLevel: setting.choice(['debug', 'info', 'warn', 'error'], { default: 'info', meaning: 'least severe log lines to write' }),
});

export const databaseSettings = {
  databaseUrl: setting.url({ meaning: 'PostgreSQL database of this service: postgres://user:password@host:port/database' }),
};

export const kafkaSettings = {
  kafkaBrokers: setting.brokers({ meaning: 'Kafka brokers: host:port, separated by commas' }),
  shopflowNamespace: setting.namespace({ default: 'shopflow', meaning: 'prefix of topics and consumer groups' }),
};
