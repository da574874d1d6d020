import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { TObject } from 'typebox';
import { compileFaultFinder, type FaultFinder } from './find-faults.js';
import { Problem } from './problem.js';

/**
 * The request's JSON body, once it meets the schema: `place(@ValidBody(NewOrder) order: Static<typeof NewOrder>)`.
 *
 * @throws Problem 400 naming every bad field at once, unknown ones included; 415 for a body that is not JSON
 */
export const ValidBody = (schema: TObject): ParameterDecorator => {
  const findFaults = compileFaultFinder(schema);
  return createParamDecorator((_data: unknown, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<Request>();
    refuseOtherMediaTypes(request);
    return checked(findFaults, request.body ?? {}, 'body');
  })();
};

/** The query string, once it meets the schema. Every value is text; a repeated name is a list, which a text field refuses. */
export const ValidQuery = (schema: TObject): ParameterDecorator => {
  const findFaults = compileFaultFinder(schema);
  return createParamDecorator((_data: unknown, context: ExecutionContext) => {
    const { query } = context.switchToHttp().getRequest<Request>();
    return checked(findFaults, query, 'query string');
  })();
};

function checked(findFaults: FaultFinder, value: unknown, where: string): unknown {
  const errors = findFaults(value);
  if (errors.length === 0) return value;
  const fields = errors.map(({ field }) => field).join(', ');
  const title = 'The request has fields that are wrong';
  throw new Problem({ status: 400, kind: 'invalid-request', title, detail: `Wrong in the ${where}: ${fields}.`, errors });
}

/** The parser leaves a body of any other type unread. */
function refuseOtherMediaTypes(request: Request): void {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (request.body !== undefined || !hasBody || request.is(['json', '+json'])) return;
  const given = request.headers['content-type'] ?? 'no content-type';
  throw new Problem({ status: 415, detail: `Send application/json, not ${given}.` });
}
