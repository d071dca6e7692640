/**
 * Defines traces as a port: the work for a request, in spans that are connected across programs (W3C Trace Context).
 * This port does not know the destination of spans; without one, the trace of a request is passed on unchanged.
 */

/** The headers `traceparent` and `tracestate` of a request, once they have been validated. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string | undefined;
}

/** Facts of a span. Never message text, text made up by a model or a person, or a secret. */
export type SpanFacts = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface SpanStart {
  name: string;
  /** client: the span waits for another program. Absent: it is work of the kernel. */
  kind?: 'client';
  parent: TraceContext | undefined;
  /** The origin of the span, if it begins a separate trace because the origin has ended. */
  link?: TraceContext | undefined;
  facts: SpanFacts;
}

export interface Span {
  /** The trace context for requests to others that are made in the span; undefined if there is no trace. */
  readonly context: TraceContext | undefined;
  note(facts: SpanFacts): void;
  /** Marks the span as failed. @param cause a code, or the name of an error */
  fail(cause: string): void;
}

export interface Tracing {
  /**
   * Does the work in a span, which ends with it. If the work rejects, this rejects with the same error and the span has
   * failed.
   */
  span<Result>(start: SpanStart, work: (span: Span) => Promise<Result>): Promise<Result>;
}

/** Creates no spans. */
export const NO_TRACING: Tracing = {
  span: ({ parent, link }, work) => work({ context: parent ?? link, note() {}, fail() {} }),
};
