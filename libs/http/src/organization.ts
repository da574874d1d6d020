import { createParamDecorator } from '@nestjs/common';
import { DEFAULT_ORGANIZATION } from '@shopflow/contracts';
import { currentContext, runWithContext } from '@shopflow/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { organizationOf } from './organization-token.js';

interface Locals {
  organizationId?: string;
}

/** Whose request the response answers; undefined while that is not known, and when the token was refused. */
export const organizationOfResponse = (response: Response): string | undefined => (response.locals as Locals).organizationId;

/**
 * Runs the request for the organization that its token names, `shopflow` without one: log lines and events carry it.
 * Must come right behind the request context.
 */
export function organizationContext(key: string | undefined) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const goOn = (organizationId: string) => {
      (response.locals as Locals).organizationId = organizationId;
      runWithContext({ organizationId }, next);
    };
    const authorization = request.get('authorization');
    if (authorization === undefined) goOn(DEFAULT_ORGANIZATION);
    else organizationOf(authorization, key).then(goOn, next);
  };
}

/** Whose request it is: `find(@Organization() organizationId: string)`. A controller shows nothing of another organization. */
export const Organization = createParamDecorator((): string => currentContext().organizationId ?? DEFAULT_ORGANIZATION);
