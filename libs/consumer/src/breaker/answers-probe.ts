import { HandlerTimeoutError } from '../failure.js';
import { BreakerOpenError } from './breaker-open.js';

/** False for what says nothing about the handler, such as an outage: then the next event may be the probe. */
export const answersProbe = (error: unknown): boolean => error instanceof BreakerOpenError || error instanceof HandlerTimeoutError;
