export { eraseNamespace } from './erase-namespace.js';
export { databaseName } from './names.js';
export {
  type DatabaseOwner,
  type FurtherInstance,
  type InstanceName,
  type Ports,
  type ProcessName,
  processNames,
  RELAY_NODE_OPTIONS,
  type ServiceName,
  serviceNames,
} from './services.js';
export { startSystem, type SystemOptions } from './start-system.js';
export type { System } from './system.js';
