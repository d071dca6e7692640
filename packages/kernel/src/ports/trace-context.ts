/**
 * Holds the trace that the running work is part of (W3C Trace Context). Requests to other programs pass it on, so that
 * the functions between do not need to.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The headers `traceparent` and `tracestate` of a request, once they have been validated. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string | undefined;
}

const current = new AsyncLocalStorage<TraceContext | undefined>();

/** The trace of the running work; undefined if there is none. */
export const currentTrace = (): TraceContext | undefined => current.getStore();

/** Does work as part of a trace, at no cost if nothing changes. @param trace undefined: the work is part of none */
export const inTrace = <Result>(trace: TraceContext | undefined, work: () => Result): Result =>
  trace === currentTrace() ? work() : current.run(trace, work);
