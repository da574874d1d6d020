export * from './contract.js';
export * from './envelope.js';
export * from './events.js';
export * from './read-payload.js';
export * from './topics.js';
export type { EventVersion, Upcaster } from './version.js';
