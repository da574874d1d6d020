import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line says about the work that it belongs to. Only what is known is set. */
export interface LogContext {
  readonly correlationId?: string;
  readonly eventId?: string;
  readonly orderId?: string;
  /** Whose the work is. */
  readonly organizationId?: string;
  readonly group?: string;
  readonly traceparent?: string;
  readonly tracestate?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

export const currentContext = (): LogContext => storage.getStore() ?? {};

/** Runs `work` with `context` added to what is already known; log lines and outbox rows inside it carry both. */
export function runWithContext<T>(context: LogContext, work: () => T): T {
  return storage.run({ ...currentContext(), ...context }, work);
}
