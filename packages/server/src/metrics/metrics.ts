/**
 * Metrics of this process. They are counted where a request or a turn ends and where spend is written, never where a
 * token passes.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Kernel, SpendRow, Store } from '@chat-kernel/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';
import { countedStore } from './counted-store.ts';

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const STREAM_TYPE = 'text/event-stream';
const ENDS = ['completed', 'failed', 'cancelled'] as const;
const OPEN = ['queued', 'sleeping', 'running'] as const;
const TOKENS = ['prompt', 'completion', 'reasoning', 'cached'] as const;
/** The last is the longest delay. */
const PERCENTILES = [50, 99, 100];

export class Metrics {
  /** A registry of this server alone. The text has the metrics in the order in which they are added here. */
  readonly #registry = new Registry();
  readonly #turnsEnded = this.#counter(
    'chat_kernel_turns_ended_total',
    'Turns that ended since the start of the process, by their end.',
    ['end'],
  );
  readonly #turnsOpen = this.#gauge('chat_kernel_turns_open', 'Turns that have not ended, by status.', [
    'status',
  ]);
  readonly #tokens = this.#counter(
    'chat_kernel_tokens_total',
    'Tokens since the start of the process. Reasoning is part of completion, cached is part of prompt.',
    ['model', 'kind'],
  );
  readonly #streamsOpen = this.#gauge('chat_kernel_streams_open', 'Event streams that somebody reads.');
  readonly #requestsPending = this.#gauge(
    'chat_kernel_requests_pending',
    'Requests to clients that wait for an answer.',
  );
  readonly #httpRequests = this.#counter(
    'chat_kernel_http_requests_total',
    'HTTP requests that were answered, by route and status.',
    ['method', 'route', 'status'],
  );
  readonly #eventLoopDelay = this.#gauge(
    'chat_kernel_event_loop_delay_seconds',
    'How late the event loop was since the last scrape; a quiet one shows its clock of 20 ms.',
    ['quantile'],
  );
  readonly #loopBlocks = this.#counter(
    'chat_kernel_event_loop_blocks_total',
    'Blocks of the event loop of more than 200 ms; the log names what was done then.',
  );
  readonly #push = this.#counter(
    'chat_kernel_push_total',
    'Attempts to send word to the owner, by what gets it and how that ended.',
    ['to', 'outcome'],
  );
  readonly #cpu = this.#counter('process_cpu_seconds_total', 'Time of the processor.');
  readonly #residentMemory = this.#gauge('process_resident_memory_bytes', 'Memory of the process.');
  readonly #heap = this.#gauge('process_heap_bytes', 'JavaScript heap in use.');
  readonly #startTime = this.#gauge('process_start_time_seconds', 'When the process began.');

  #store: Store | undefined;
  /** Replies whose connections are still busy with them. */
  readonly #answering = new Set<FastifyReply>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    for (const end of ENDS) this.#turnsEnded.inc({ end }, 0);
    this.#startTime.set(performance.timeOrigin / 1000);
    this.#delay.enable();
  }

  /** Returns a store that counts turns and tokens once they are written. */
  countWrites(store: Store): Store {
    this.#store = store;
    return countedStore(store, {
      countTurn: status => {
        const end = ENDS.find(known => known === status);
        if (end) this.#turnsEnded.inc({ end });
      },
      countSpend: spend => this.#countTokens(spend),
    });
  }

  /** Counts every request when its connection is done with it, streams and hung up ones included. */
  countRequests(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      this.#answering.add(reply);
      reply.raw.once('close', () => {
        this.#answering.delete(reply);
        const { method, routeOptions } = request;
        // The pattern of the route, for addresses are without number.
        const route = routeOptions.url ?? 'none';
        this.#httpRequests.inc({ method, route, status: `${reply.raw.statusCode}` });
      });
      done();
    });
  }

  /** Returns the text of GET /metrics, with gauges as of now. */
  async read(kernel: Kernel): Promise<string> {
    const unfinished = (await this.#store?.turns.listUnfinished()) ?? [];
    for (const status of OPEN) {
      this.#turnsOpen.set({ status }, unfinished.filter(turn => turn.status === status).length);
    }
    this.#streamsOpen.set(this.#countStreams());
    this.#requestsPending.set(kernel.operations.pending().requests.length);
    this.#push.reset();
    for (const { to, outcome, count } of kernel.push.counts) this.#push.inc({ to, outcome }, count);
    this.#readProcess();
    return this.#text();
  }

  /** Counts a long block of the event loop. */
  countLoopBlock(): void {
    this.#loopBlocks.inc();
  }

  stop(): void {
    this.#delay.disable();
  }

  /** prom-client's own text has empty lines between metrics, which not every reader takes. */
  async #text(): Promise<string> {
    const names = this.#registry.getMetricsAsArray().map(({ name }) => name);
    const texts = await Promise.all(names.map(name => this.#registry.getSingleMetricAsString(name)));
    return texts.map(text => `${text}\n`).join('');
  }

  #countTokens(spend: SpendRow): void {
    for (const kind of TOKENS) this.#tokens.inc({ model: spend.model, kind }, spend[`${kind}_tokens`]);
  }

  #countStreams(): number {
    return [...this.#answering].filter(
      reply => reply.raw.headersSent && reply.getHeader('content-type') === STREAM_TYPE,
    ).length;
  }

  #readProcess(): void {
    for (const percent of PERCENTILES) {
      this.#eventLoopDelay.set({ quantile: `${percent / 100}` }, this.#delay.percentile(percent) / 1e9);
    }
    // Each scrape has the delays since the one before.
    this.#delay.reset();
    const { user, system } = process.cpuUsage();
    this.#cpu.reset();
    this.#cpu.inc((user + system) / 1e6);
    const { rss, heapUsed } = process.memoryUsage();
    this.#residentMemory.set(rss);
    this.#heap.set(heapUsed);
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }
}
