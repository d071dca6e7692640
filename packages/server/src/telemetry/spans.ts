/**
 * Records spans of OpenTelemetry. Called code inherits the current span, so that the store, which does not know about
 * turns, has its spans in the right place.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { inTrace, type TraceContext } from '@chat-kernel/kernel';
import {
  createTraceState,
  type Span as Recorded,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

const CONVERSATION = 'gen_ai.conversation.id';

/** Facts of a span. Never message text, text made up by a model or a person, or a secret. */
type SpanFacts = Readonly<Record<string, string | number | readonly string[] | undefined>>;

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
  /** The trace for requests that are made in the span. */
  readonly context: TraceContext;
  note(facts: SpanFacts): void;
  /** Marks the span as failed. @param cause a code, or the name of an error */
  fail(cause: string): void;
  end(): void;
}

/** A span in which work runs. */
interface Active {
  recorded: Recorded;
  context: TraceContext;
  conversation: SpanFacts[string];
  /** True once the span has ended: detached work must not become its child. */
  isOver: boolean;
}

export class Spans {
  readonly #tracer: Tracer;
  readonly #active = new AsyncLocalStorage<Active>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /**
   * Does the work in a span, which ends with it and is the current trace. If the work rejects, this rejects with the
   * same error and the span has failed.
   */
  async span<Result>(start: SpanStart, work: (span: Span) => Promise<Result>): Promise<Result> {
    const recorded = this.#start(start);
    const span = openSpan(recorded);
    const { context } = span;
    const active = { recorded, context, conversation: start.facts[CONVERSATION], isOver: false };
    try {
      return await this.#active.run(active, () => inTrace(context, () => work(span)));
    } catch (error) {
      span.fail(describeCause(error));
      throw error;
    } finally {
      active.isOver = true;
      span.end();
    }
  }

  /** Begins the span of a request to another program, which its creator must end. */
  request(start: SpanStart): Span {
    const conversation = this.#current?.conversation;
    return openSpan(
      this.#start({ ...start, kind: 'client', facts: { [CONVERSATION]: conversation, ...start.facts } }),
    );
  }

  /** Like `request`, below the current span; undefined if there is none. */
  requestBelow(name: string, facts: SpanFacts): Span | undefined {
    const current = this.#current;
    return current && openSpan(this.#start({ name, kind: 'client', parent: current.context, facts }));
  }

  get #current(): Active | undefined {
    const active = this.#active.getStore();
    return active?.isOver ? undefined : active;
  }

  #start({ name, kind, parent, link, facts }: SpanStart): Recorded {
    const options = {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: { ...facts },
      links: link ? [{ context: remote(link) }] : [],
    };
    return this.#tracer.startSpan(name, options, this.#contextOf(parent));
  }

  #contextOf(parent: TraceContext | undefined) {
    if (parent === undefined) return ROOT_CONTEXT;
    const active = this.#active.getStore();
    return active?.context === parent
      ? trace.setSpan(ROOT_CONTEXT, active.recorded)
      : trace.setSpanContext(ROOT_CONTEXT, remote(parent));
  }
}

function openSpan(recorded: Recorded): Span {
  const { traceId, spanId, traceFlags, traceState } = recorded.spanContext();
  const tracestate = traceState?.serialize();
  return {
    context: {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      ...(tracestate && { tracestate }),
    },
    note: facts => void recorded.setAttributes({ ...facts }),
    fail(cause) {
      // Without a message, which may quote texts of users or models.
      recorded.setAttribute('error.type', cause).setStatus({ code: SpanStatusCode.ERROR });
    },
    // Another call has no effect, as OpenTelemetry specifies.
    end: () => recorded.end(),
  };
}

function remote({ traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const traceState = tracestate === undefined ? undefined : createTraceState(tracestate);
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(traceState && { traceState }),
  };
}

/** Describes an error for a span: its code or its name, without its message. */
export function describeCause(thrown: unknown): string {
  if (!(thrown instanceof Error)) return errorStatus(thrown) ?? '_OTHER';
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name;
}

/** A turn that is ended from outside aborts its work with its ending as the reason. */
const errorStatus = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'status' in thrown && typeof thrown.status === 'string'
    ? thrown.status
    : undefined;
