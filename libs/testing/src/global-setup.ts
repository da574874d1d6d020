import type { TestProject } from 'vitest/node';
import { RunServers } from './run-servers.js';
import './provided.js';

/**
 * One Kafka and one PostgreSQL for the whole run. Vitest calls this once per project that names it, with a module instance
 * for each, so what they share is kept where all of them find it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = RunServers.ofThisRun();
  const { kafkaBrokers, databaseUrl } = await servers.use();
  project.provide('kafkaBrokers', kafkaBrokers);
  project.provide('databaseUrl', databaseUrl);
  project.provide('runId', servers.runId);
  return () => servers.release();
}
