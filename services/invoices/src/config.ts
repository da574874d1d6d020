import { databaseSettings, kafkaSettings, readConfig, serviceSettings, setting } from '@shopflow/config';
import Type, { type Static } from 'typebox';

const schema = Type.Object({
  ...serviceSettings({ port: 3006 }),
  ...databaseSettings,
  ...kafkaSettings,
  invoiceDueDays: setting.count({ default: 30, maximum: 3_650, meaning: 'days from an order until its invoice is due' }),
});

export type InvoicesConfig = Static<typeof schema>;

/** @throws ConfigError naming every fault */
export const readInvoicesConfig = (env?: Readonly<Record<string, string | undefined>>): InvoicesConfig => readConfig(schema, env);
