import { kafkaSettings, readConfig, serviceSettings, setting } from '@shopflow/config';
import Type, { type Static } from 'typebox';
import { defaultPorts, type Ports, processNames, portVariable } from './services.js';

const port = (meaning: string) => setting.port({ default: 0, meaning: `port of ${meaning}; 0 takes a free one` });

const schema = Type.Object({
  shopflowNamespace: kafkaSettings.shopflowNamespace,
  logLevel: serviceSettings({ port: 0 }).logLevel,
  kafkaPort: port('Kafka, when it is started here'),
  kafkaControllerPort: port("Kafka's controller"),
  postgresPort: port('PostgreSQL, when it is started here'),
  ordersPort: port('orders'),
  relayPort: port('relay'),
  emailPort: port('email'),
  auditPort: port('audit'),
  analyticsPort: port('analytics'),
  invoicesPort: port('invoices'),
  reminderPort: port('reminder'),
  mailProviderPort: port('the mail provider'),
  shopflowTypedAt: setting.count({ default: 0, meaning: 'when the command was typed, in milliseconds since 1970; 0 means now' }),
});

const DEFAULT_NAMESPACE = 'shopflow';
const SERVER_PORTS = { KAFKA_PORT: '19092', KAFKA_CONTROLLER_PORT: '19093', POSTGRES_PORT: '15432' };

export interface StartConfig {
  readonly namespace: string;
  readonly logLevel: string;
  readonly serverPorts: { readonly kafka: number; readonly kafkaController: number; readonly postgres: number };
  readonly ports: Ports;
  readonly typedAt: number;
}

/** The fixed ports belong to the default namespace; another one runs beside it, on free ports unless it is told others. */
export function readStartConfig(env: Readonly<Record<string, string | undefined>> = process.env): StartConfig {
  const isDefault = (env['SHOPFLOW_NAMESPACE'] || DEFAULT_NAMESPACE) === DEFAULT_NAMESPACE;
  const config = readConfig(schema, isDefault ? { ...fixedPorts(), ...withoutEmpty(env) } : env);
  return {
    namespace: config.shopflowNamespace,
    logLevel: config.logLevel,
    serverPorts: { kafka: config.kafkaPort, kafkaController: config.kafkaControllerPort, postgres: config.postgresPort },
    ports: portsOf(config),
    typedAt: config.shopflowTypedAt || Date.now(),
  };
}

const portsOf = (config: Static<typeof schema>): Ports => ({
  orders: config.ordersPort,
  relay: config.relayPort,
  email: config.emailPort,
  audit: config.auditPort,
  analytics: config.analyticsPort,
  invoices: config.invoicesPort,
  reminder: config.reminderPort,
  'mail-provider': config.mailProviderPort,
});

const fixedPorts = (): Record<string, string> => ({
  ...SERVER_PORTS,
  ...Object.fromEntries(processNames.map((name) => [portVariable(name), String(defaultPorts[name])])),
});

const withoutEmpty = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
