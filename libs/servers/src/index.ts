export { cacheFolder, shopflowHome } from './home.js';
export { EmbeddedKafkaCluster, type EmbeddedKafkaClusterOptions } from './kafka/embedded-cluster.js';
export { EmbeddedKafka, type EmbeddedKafkaOptions } from './kafka/embedded-kafka.js';
export { findJava } from './kafka/java.js';
export { assertPortFree, freePort, LOOPBACK } from './port.js';
export { dropDatabase, withClient, withDatabase } from './postgres/administer.js';
export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './postgres/embedded-postgres.js';
export { endRecorded } from './process/end-process.js';
export { preflight, PreflightError, type PreflightOptions } from './preflight/preflight.js';
export {
  createIdentity,
  identify,
  isAlive,
  type ProcessIdentity,
  readIdentity,
  removeIdentity,
  writeIdentity,
} from './process/process-identity.js';
export { type Ending, type ProcessOptions, ServerProcess } from './process/server-process.js';
export { waitUntilReady } from './process/wait-until-ready.js';
export { PortTakenError, ServersError } from './servers-error.js';
export { type Servers, type ServersOptions, removeServerData, startServers } from './start-servers.js';
