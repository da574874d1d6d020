import { databaseSettings, kafkaSettings, readConfig, serviceSettings } from '@shopflow/config';
import Type, { type Static } from 'typebox';

const schema = Type.Object({ ...serviceSettings({ port: 3003 }), ...databaseSettings, ...kafkaSettings });

export type AuditConfig = Static<typeof schema>;

/** @throws ConfigError naming every fault */
export const readAuditConfig = (): AuditConfig => readConfig(schema);
