/**
 * Traces, as a port: what is done for a request, in spans that hang together across programs (W3C Trace Context). Nothing
 * here knows where spans go; without anybody who wants them, what a request carried is handed on as it came.
 */

/** The headers `traceparent` and `tracestate` of a request, once they were found to be well-formed. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string | undefined;
}

/** Facts of a span. Never message text, what a model or a person made up, or a secret. */
export type SpanFacts = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface SpanStart {
  name: string;
  /** client: the span waits for another program. Absent: it is the kernel's own work. */
  kind?: 'client';
  parent: TraceContext | undefined;
  /** What led to the span, where it begins a trace of its own because that is over. */
  link?: TraceContext | undefined;
  facts: SpanFacts;
}

export interface Span {
  /** What goes along with requests to others that are made in the span; undefined: there is no trace. */
  readonly context: TraceContext | undefined;
  note(facts: SpanFacts): void;
  /** Marks the span as failed. @param cause a code, or the name of an error */
  fail(cause: string): void;
}

export interface Tracing {
  /** Does the work in a span, which ends with it. What the work rejects with, this rejects with, and the span has failed. */
  span<Result>(start: SpanStart, work: (span: Span) => Promise<Result>): Promise<Result>;
}

/** Nobody wants spans. */
export const NO_TRACING: Tracing = {
  span: ({ parent, link }, work) => work({ context: parent ?? link, note() {}, fail() {} }),
};
