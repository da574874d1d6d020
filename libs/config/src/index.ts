export { type OperatingConfig, readOperatingConfig } from './operating-config.js';
export { ConfigError, type CrossRule, readConfig } from './read-config.js';
export { databaseSettings, DEVELOPMENT_KEY, kafkaSettings, organizationSettings, serviceSettings } from './service-settings.js';
export { setting } from './setting.js';
