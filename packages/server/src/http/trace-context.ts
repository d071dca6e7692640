/** The trace that a request belongs to, by its headers `traceparent` and `tracestate` (W3C Trace Context). */
import type { IncomingHttpHeaders } from 'node:http';
import type { TraceContext } from '@chat-kernel/kernel';

/** Version, id of the trace, id of the caller's span, flags; a later version may have more behind them. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_VERSION = 'ff';
const ALL_ZEROS = /^0+$/;
/** The flags that have a meaning: sampled, and an id that is random. */
const KNOWN_FLAGS = 0x03;
const TRACESTATE = /^[\t\x20-\x7e]*$/;
/** What everybody has to hand on; more may be dropped. */
const TRACESTATE_CHARS = 512;

/** Undefined where a request has no trace, or one that is not well-formed, which is ignored. */
export function traceOf({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, trace = '', parent = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === NO_VERSION) return undefined;
  if (ALL_ZEROS.test(trace) || ALL_ZEROS.test(parent)) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  const known = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0');
  return { traceparent: `00-${trace}-${parent}-${known}`, ...stateOf(tracestate) };
}

function stateOf(given: string | string[] | undefined): Pick<TraceContext, 'tracestate'> | undefined {
  // A header that comes in several pieces is one list.
  const tracestate = [given ?? []].flat().join(',').trim();
  const isFit = tracestate !== '' && tracestate.length <= TRACESTATE_CHARS && TRACESTATE.test(tracestate);
  return isFit ? { tracestate } : undefined;
}
