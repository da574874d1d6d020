/** Injection token of the service's {@link Schedule}. */
export const SCHEDULE = Symbol('schedule');
