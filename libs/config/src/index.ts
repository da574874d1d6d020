export { ConfigError, readConfig } from './read-config.js';
export { setting } from './setting.js';
