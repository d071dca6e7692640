/** Records spans in memory, as OpenTelemetry would export them. */
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Spans } from '../src/telemetry/spans.ts';

/** Returns the recorder, and what it has recorded of ended spans, in the order of their ends. */
export function recordSpans() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const ended = () =>
    exporter.getFinishedSpans().map(span => ({
      name: span.name,
      kind: span.kind,
      attributes: span.attributes,
      links: span.links.map(({ context }) => context),
      status: span.status,
      parent: span.parentSpanContext,
      id: span.spanContext().spanId,
      trace: span.spanContext().traceId,
    }));
  return { spans: new Spans(provider.getTracer('test')), ended };
}
