/** Sends spans, and logs when they cannot be sent: once, and then at most once a minute. */
import type { Clock, Log } from '@chat-kernel/kernel';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

const PAUSE_MS = 60_000;

type Done = Parameters<SpanExporter['export']>[1];

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
