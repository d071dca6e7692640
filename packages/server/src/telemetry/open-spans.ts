/** OpenTelemetry, put together: spans wait in memory, at most some thousands, and are sent as JSON over HTTP. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Telemetry, TelemetryDeps } from './parts.ts';
import { PatientExporter } from './patient-exporter.ts';
import { Spans } from './spans.ts';
import { tracedModels } from './traced-models.ts';
import { tracedStore } from './traced-store.ts';

/** Further spans are dropped while the collector is away. */
const MOST_WAITING = 2048;
const MOST_AT_ONCE = 512;
const SEND_AFTER_MS = 1000;
const SEND_MS = 5000;
/** Longest delay of a stop by a collector that does not answer. */
const LAST_SEND_MS = 2000;

/** @param to the address of the collector, without the path, and headers for it */
export function openSpans(
  to: { otlp_url: string; headers: Readonly<Record<string, string>> },
  { version, id, database, log, clock }: TelemetryDeps,
): Telemetry {
  const sender = new OTLPTraceExporter({
    url: tracesOf(to.otlp_url),
    headers: { ...to.headers },
    timeoutMillis: SEND_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter: new PatientExporter(sender, log, clock),
    maxQueueSize: MOST_WAITING,
    maxExportBatchSize: MOST_AT_ONCE,
    scheduledDelayMillis: SEND_AFTER_MS,
    exportTimeoutMillis: 2 * SEND_MS,
  });
  const provider = new TracerProvider({
    // Nothing is found out about the process or its machine: arguments and names can hold what nobody should see.
    resource: resourceFromAttributes({
      'service.name': 'chat-kernel',
      'service.version': version,
      'service.instance.id': id,
    }),
    spanProcessors: [processor],
  });
  const spans = new Spans(provider.getTracer('chat-kernel', version));
  return {
    tracing: spans,
    store: store => tracedStore(store, spans, database),
    models: models => tracedModels(models, spans),
    async stop() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, LAST_SEND_MS);
      // What could not be sent was logged.
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

/** The address for traces, below that of the collector. */
function tracesOf(collector: string): string {
  const url = new URL(collector);
  url.pathname = `${url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname}/v1/traces`;
  return url.href;
}
