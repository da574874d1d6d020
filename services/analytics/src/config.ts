import { databaseSettings, kafkaSettings, readConfig, serviceSettings } from '@shopflow/config';
import Type, { type Static } from 'typebox';

const schema = Type.Object({ ...serviceSettings({ port: 3004 }), ...databaseSettings, ...kafkaSettings });

export type AnalyticsConfig = Static<typeof schema>;

/** @throws ConfigError naming every fault */
export const readAnalyticsConfig = (): AnalyticsConfig => readConfig(schema);
