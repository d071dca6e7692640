/** Sets up OpenTelemetry: spans are buffered in memory, up to a limit, and sent as JSON over HTTP. */
import type { Clock, Log } from '@chat-kernel/kernel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { observeTurns } from './observed-turns.ts';
import type { Telemetry, TelemetryDeps } from './parts.ts';
import { Spans } from './spans.ts';
import { tracedModels } from './traced-models.ts';
import { tracedHops, tracedStore } from './traced-store.ts';

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

const PAUSE_MS = 60_000;

type Done = Parameters<SpanExporter['export']>[1];

/** Sends spans, and logs when they cannot be sent: once, and then at most once a minute. */
export class RetryingExporter implements SpanExporter {
  readonly #sender: SpanExporter;
  readonly #log: Pick<Log, 'warn'>;
  readonly #clock: Pick<Clock, 'now'>;
  #saidAt = Number.NEGATIVE_INFINITY;
  #lost = 0;

  constructor(sender: SpanExporter, log: Pick<Log, 'warn'>, clock: Pick<Clock, 'now'>) {
    this.#sender = sender;
    this.#log = log;
    this.#clock = clock;
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#sender.export(spans, result => {
      if (result.error !== undefined) this.#failed(result.error, spans.length);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#sender.shutdown();
  }

  #failed(error: Error, spans: number): void {
    this.#lost += spans;
    const now = this.#clock.now();
    if (now - this.#saidAt < PAUSE_MS) return;
    this.#saidAt = now;
    this.#log.warn({ problem: errorCode(error), spans: this.#lost }, 'sending spans failed; they are lost');
    this.#lost = 0;
  }
}

/** Not the message, because it may contain the response of the collector. */
const errorCode = (error: Error): string | number =>
  'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
    ? error.code
    : error.name;
