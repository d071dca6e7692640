/** Sets up OpenTelemetry: spans are buffered in memory, up to a limit, and sent as JSON over HTTP. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { observeTurns } from './observed-turns.ts';
import type { Telemetry, TelemetryDeps } from './parts.ts';
import { RetryingExporter } from './retrying-exporter.ts';
import { Spans } from './spans.ts';
import { tracedHops } from './traced-hops.ts';
import { tracedModels } from './traced-models.ts';
import { tracedStore } from './traced-store.ts';

/** The buffer size. If it is full because the collector is unreachable, new spans are dropped. */
const MAX_WAITING_SPANS = 2048;
const MAX_BATCH_SIZE = 512;
const SEND_INTERVAL_MS = 1000;
const SEND_TIMEOUT_MS = 5000;
/** How long a stop waits for a collector that does not respond. */
const FINAL_SEND_TIMEOUT_MS = 2000;

/** @param collector the address of the collector, without the path, and headers for it */
export function openSpans(
  collector: { otlp_url: string; headers: Readonly<Record<string, string>> },
  { version, id, database, log, clock }: TelemetryDeps,
): Telemetry {
  const sender = new OTLPTraceExporter({
    url: tracesUrl(collector.otlp_url),
    headers: { ...collector.headers },
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter: new RetryingExporter(sender, log, clock),
    maxQueueSize: MAX_WAITING_SPANS,
    maxExportBatchSize: MAX_BATCH_SIZE,
    scheduledDelayMillis: SEND_INTERVAL_MS,
    exportTimeoutMillis: 2 * SEND_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    // The process and its machine are not inspected: arguments and names can contain private data.
    resource: resourceFromAttributes({
      'service.name': 'chat-kernel',
      'service.version': version,
      'service.instance.id': id,
    }),
    spanProcessors: [processor],
  });
  const spans = new Spans(provider.getTracer('chat-kernel', version));
  return {
    observer: observeTurns(spans),
    store: store => tracedStore(store, spans, database),
    models: models => tracedModels(models, spans),
    hops: hops => tracedHops(hops, spans),
    async stop() {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FINAL_SEND_TIMEOUT_MS);
      // Spans that could not be sent were logged.
      await Promise.race([provider.shutdown().catch(() => {}), timeout]);
      clearTimeout(timer);
    },
  };
}

/** The address for traces, below that of the collector. */
function tracesUrl(collector: string): string {
  const url = new URL(collector);
  url.pathname = `${url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname}/v1/traces`;
  return url.href;
}
