import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Readiness } from './health/readiness.js';

/** Requests that take longer than this are cut off. */
const REQUESTS_MS = 5_000;
const IDLE_LOOK_MS = 50;

/**
 * No new work first, then what has begun is finished, then what it needs is closed: readiness, consumer, HTTP, modules
 * (their `onModuleDestroy`, `beforeApplicationShutdown`), and in `onApplicationShutdown` the database.
 */
export async function stopService(app: NestExpressApplication, readiness: Readiness): Promise<void> {
  readiness.stop();
  for (const microservice of app.getMicroservices()) await (microservice as unknown as ConnectedMicroservice).getTransportServer().close();
  await closeHttp(app.getHttpServer() as Server);
  await app.close();
}

/** Nest's own `close` of a microservice would also run the hooks of the modules, which serve the requests still running. */
interface ConnectedMicroservice {
  getTransportServer(): { close(): unknown };
}

function closeHttp(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // A kept-alive connection turns idle only when its running request has ended.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
    const cutOff = setTimeout(() => server.closeAllConnections(), REQUESTS_MS);
    server.close((error) => {
      clearInterval(idle);
      clearTimeout(cutOff);
      if (error) reject(error);
      else resolve();
    });
  });
}
