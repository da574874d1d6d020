import { randomUUID } from 'node:crypto';
import { type Logger, runWithContext } from '@shopflow/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { organizationOfResponse } from './organization.js';
import { readTrace } from './trace-context.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Runs the whole request under its correlation id (`x-request-id` where it is well formed, else a fresh UUID) and its
 * trace, and logs one line when it ends, with the organization that it was of. Must be the first middleware, so that a body that cannot be read has an id too.
 */
export function requestContext(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.get('x-request-id');
    const correlationId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    const context = { correlationId, ...readTrace(request.get('traceparent'), request.get('tracestate')) };
    const start = performance.now();
    response.setHeader('x-request-id', correlationId);
    response.once('close', () => {
      const organizationId = organizationOfResponse(response);
      const whole = organizationId === undefined ? context : { ...context, organizationId };
      runWithContext(whole, () => logEnd(logger, request, response, performance.now() - start));
    });
    runWithContext(context, next);
  };
}

function logEnd(logger: Logger, request: Request, response: Response, ms: number): void {
  const { method } = request;
  const route = (request.route as { path: string } | undefined)?.path ?? 'unmatched';
  const answered = response.writableFinished;
  // What the request created, where it did.
  const location = response.getHeader('location');
  const line = { method, route, status: answered ? response.statusCode : undefined, ms: Math.round(ms * 10) / 10, location };
  const text = answered ? `${method} ${request.path} ${response.statusCode}` : `${method} ${request.path} ended without its answer`;
  // Probes come every second and would bury everything else.
  if ((route.startsWith('/health/') || route === '/metrics') && response.statusCode < 400) logger.debug(line, text);
  else logger.info(line, text);
}
