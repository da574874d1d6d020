import type { ServerResponse } from 'node:http';

/** Ends the response with a JSON body. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
