import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import { currentContext, type Logger } from '@shopflow/telemetry';
import type { Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { Problem } from './problem.js';
import { toProblem } from './to-problem.js';

/** Answers every error of an HTTP request as problem+json, and logs those that are ours with their stack. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // A consumer's handlers share the application's configuration; their errors belong to the consumer.
    if (host.getType() !== 'http') throw error;
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = isUnknownRoute(error, request) ? unknownRoute(request) : toProblem(error);
    this.log(problem, error, request);
    if (response.headersSent) response.destroy();
    else answer(problem, request, response);
  }

  /** A problem that was thrown on purpose explains itself; a probe asks many times while a service starts. */
  private log(problem: Problem, error: unknown, { method, path }: Request): void {
    if (problem.getStatus() < 500) return;
    if (path.startsWith('/health/')) this.logger.debug(`${method} ${path}: ${problem.message}`);
    else if (error instanceof Problem) this.logger.warn(`${method} ${path} failed: ${problem.message}`);
    else this.logger.error({ err: error }, `${method} ${path} failed`);
  }
}

function answer(problem: Problem, request: Request, response: Response): void {
  const body = {
    type: problem.type,
    title: problem.title,
    status: problem.getStatus(),
    detail: problem.message,
    instance: request.path,
    correlationId: currentContext().correlationId,
    ...(problem.errors.length > 0 ? { errors: problem.errors } : {}),
  };
  response.status(problem.getStatus()).set(problem.headers).type('application/problem+json').send(JSON.stringify(body));
}

/** Express sets `route` once a controller's route has matched. */
const isUnknownRoute = (error: unknown, request: Request) => error instanceof NotFoundException && request.route === undefined;

function unknownRoute(request: Request): Problem {
  const allowed = allowedMethods(request);
  if (allowed.length === 0) return new Problem({ status: 404, detail: `There is nothing at ${request.path}.` });
  const allow = allowed.join(', ');
  return new Problem({ status: 405, detail: `${request.path} takes ${allow}, not ${request.method}.`, headers: { allow } });
}
