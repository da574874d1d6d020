import Type, { type Static } from 'typebox';
import { readConfig } from './read-config.js';
import { databaseSettings, kafkaSettings } from './service-settings.js';

const schema = Type.Object({ ...databaseSettings, ...kafkaSettings });

/** What operators' commands need of a consuming service's settings. */
export type OperatingConfig = Static<typeof schema>;

/** @throws ConfigError naming every fault */
export const readOperatingConfig = (): OperatingConfig => readConfig(schema);
