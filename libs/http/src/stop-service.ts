import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Readiness } from './health/readiness.js';
import type { OpenConnections } from './open-connections.js';

/** Requests that take longer than this are cut off; the rest of a stop has to fit into what serve.ts gives all of it. */
const REQUESTS_MS = 3_000;

/**
 * No new work first, then what has begun is finished, then what it needs is closed: readiness, consumer, HTTP, modules
 * (their `onModuleDestroy`, `beforeApplicationShutdown`), and in `onApplicationShutdown` the database.
 */
export async function stopService(app: NestExpressApplication, connections: OpenConnections, readiness: Readiness): Promise<void> {
  readiness.stop();
  for (const microservice of app.getMicroservices()) await (microservice as unknown as ConnectedMicroservice).getTransportServer().close();
  await connections.close(REQUESTS_MS);
  await app.close();
}

/** Nest's own `close` of a microservice would also run the hooks of the modules, which serve the requests still running. */
interface ConnectedMicroservice {
  getTransportServer(): { close(): unknown };
}
