import { setting } from './setting.js';

// The settings that services have in common, each with one meaning everywhere.

/** Where a service listens and how much it says. */
export const serviceSettings = (defaults: { port: number }) => ({
  host: setting.text({ default: '127.0.0.1', meaning: 'address to listen on' }),
  port: setting.port({ default: defaults.port, meaning: 'HTTP port; 0 takes a free one' }),
  logLevel: setting.choice(['debug', 'info', 'warn', 'error'], { default: 'info', meaning: 'least severe log lines to write' }),
});

export const databaseSettings = {
  databaseUrl: setting.url({ meaning: 'PostgreSQL database of this service: postgres://user:password@host:port/database' }),
};

export const kafkaSettings = {
  kafkaBrokers: setting.brokers({ meaning: 'Kafka brokers: host:port, separated by commas' }),
  shopflowNamespace: setting.namespace({ default: 'shopflow', meaning: 'prefix of topics and consumer groups' }),
};
