import { databaseSettings, readConfig, serviceSettings } from '@shopflow/config';
import Type, { type Static } from 'typebox';

// No Kafka here: the service writes its outbox, and the relay publishes it.
const schema = Type.Object({ ...serviceSettings({ port: 3001 }), ...databaseSettings });

export type OrdersConfig = Static<typeof schema>;

/** @throws ConfigError naming every fault */
export const readOrdersConfig = (): OrdersConfig => readConfig(schema);
