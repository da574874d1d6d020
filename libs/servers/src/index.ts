export { type Servers, type ServersOptions, startServers } from './start-servers.js';
