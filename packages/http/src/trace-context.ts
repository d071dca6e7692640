/** Parses the trace context of a request from its headers `traceparent` and `tracestate` (W3C Trace Context). */
import type { IncomingHttpHeaders } from 'node:http';

/** The headers for code that continues the trace. */
interface TraceHeaders {
  traceparent: string;
  tracestate?: string;
}

/** Version, id of the trace, id of the caller's span, flags; later versions may append more. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_VERSION = 'ff';
const ALL_ZEROS = /^0+$/;
/** The flags with a defined meaning: sampled, and an id that is random. */
const KNOWN_FLAGS = 0x03;
const TRACESTATE = /^[\t\x20-\x7e]*$/;
/** The length that every participant must forward; more may be dropped. */
const TRACESTATE_CHARS = 512;

/** Undefined if a request has no trace, or an invalid one, which is ignored. */
export function parseTraceHeaders({
  traceparent,
  tracestate,
}: IncomingHttpHeaders): TraceHeaders | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, trace = '', parent = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === NO_VERSION) return undefined;
  if (ALL_ZEROS.test(trace) || ALL_ZEROS.test(parent)) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  const known = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0');
  return { traceparent: `00-${trace}-${parent}-${known}`, ...parseTraceState(tracestate) };
}

function parseTraceState(given: string | string[] | undefined): Pick<TraceHeaders, 'tracestate'> | undefined {
  // A header that is sent several times is one list.
  const tracestate = [given ?? []].flat().join(',').trim();
  const isFit = tracestate !== '' && tracestate.length <= TRACESTATE_CHARS && TRACESTATE.test(tracestate);
  return isFit ? { tracestate } : undefined;
}
