import type { LogContext } from '@shopflow/telemetry';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The W3C trace of a request's headers. A malformed one counts as absent, and a state without its parent says nothing. */
export function readTrace(traceparent: string | undefined, tracestate: string | undefined): Pick<LogContext, 'traceparent' | 'tracestate'> {
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return {};
  return tracestate !== undefined && TRACESTATE.test(tracestate) ? { traceparent, tracestate } : { traceparent };
}
