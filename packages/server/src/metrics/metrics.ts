/**
 * Collects metrics of this process. Counts at the end of requests and turns and at writes of spend, never per token.
 */
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OpenCounter } from '@chat-kernel/features';
import type { Kernel, SpendRow, Store } from '@chat-kernel/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import packageJson from '../../package.json' with { type: 'json' };
import { countedStore, watchFenced } from './counted-store.ts';

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const STREAM_TYPE = 'text/event-stream';
const ENDS = ['completed', 'failed', 'cancelled'] as const;
const OPEN = ['queued', 'sleeping', 'running'] as const;
const TOKENS = ['prompt', 'completion', 'reasoning', 'cached'] as const;
/** The last is the maximum delay. */
const PERCENTILES = [50, 99, 100];
const HOPS = ['answered', 'moved', 'no_answer'] as const;
/**
 * Seconds. Within one machine a request to another kernel takes some milliseconds; one that waits for a new owner takes
 * up to 15 s.
 */
const HOP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** The number of sources and shapes that are counted separately. */
const MAX_SHAPES = 200;

export class Metrics {
  /** A registry of this server only. The text lists the metrics in the order in which they are added here. */
  readonly #registry = new Registry();
  readonly #turnsEnded = this.#counter(
    'chat_kernel_turns_ended_total',
    'Turns that ended since the start of the process, by outcome.',
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
  readonly #streamsOpen = this.#gauge('chat_kernel_streams_open', 'Open event streams.');
  readonly #requestsPending = this.#gauge('chat_kernel_requests_pending', 'Pending requests to clients.');
  readonly #httpRequests = this.#counter(
    'chat_kernel_http_requests_total',
    'Completed HTTP requests, by route and status.',
    ['method', 'route', 'status'],
  );
  readonly #eventLoopDelay = this.#gauge(
    'chat_kernel_event_loop_delay_seconds',
    'Event loop delay since the last scrape; an idle loop shows its timer of 20 ms.',
    ['quantile'],
  );
  readonly #loopBlocks = this.#counter(
    'chat_kernel_event_loop_blocks_total',
    'Event loop stalls of more than 200 ms.',
  );
  readonly #unread = this.#counter(
    'chat_kernel_unknown_parts_total',
    'Parts of answers that were not understood, by their source and their name there.',
    ['source', 'shape'],
  );
  /** The labels of the counter: sources may invent names without end. */
  readonly #unreadShapes = new Set<string>();
  readonly #info = this.#gauge(
    'chat_kernel_info',
    'Always 1. Labels: kernel id (new with each start), machine name and version.',
    ['kernel', 'name', 'version'],
  );
  readonly #kernelsAlive = this.#gauge(
    'chat_kernel_kernels_alive',
    'Kernels on the database with a recent heartbeat.',
  );
  readonly #chatsOwned = this.#gauge(
    'chat_kernel_chats_owned',
    'Chats that this kernel owns if several kernels share the database.',
  );
  readonly #takeovers = this.#counter(
    'chat_kernel_takeovers_total',
    'Chats with open turns that this kernel took over because no live kernel owned them.',
  );
  readonly #fencedWrites = this.#counter(
    'chat_kernel_fenced_writes_total',
    'Writes that the database rejected because another kernel now owns the chat.',
  );
  readonly #hops = this.#counter(
    'chat_kernel_hops_total',
    'Requests to other kernels, by outcome: answered, moved (the chat has another owner), no_answer.',
    ['outcome'],
  );
  readonly #hopSeconds = new Histogram({
    name: 'chat_kernel_hop_seconds',
    help: 'Time from a request to another kernel to the start of its response.',
    buckets: HOP_BUCKETS,
    registers: [this.#registry],
  });
  readonly #logSize = this.#gauge(
    'chat_kernel_write_ahead_log_bytes',
    'Size of the write-ahead log of SQLite; 0 with Postgres.',
  );
  readonly #cpu = this.#counter('process_cpu_seconds_total', 'CPU time.');
  readonly #residentMemory = this.#gauge('process_resident_memory_bytes', 'Memory usage of the process.');
  readonly #heap = this.#gauge('process_heap_bytes', 'JavaScript heap in use.');
  readonly #startTime = this.#gauge('process_start_time_seconds', 'Start time of the process.');

  #store: Store | undefined;
  /** Replies whose connections are still sending them. */
  readonly #answering = new Set<FastifyReply>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  /** Functions that read the counters of the features. */
  readonly #features: readonly (() => void)[];

  constructor(features: readonly OpenCounter[] = []) {
    this.#features = features.map(({ name, help, labels, read }) => {
      const counter = this.#counter(name, help, [...labels]);
      return () => {
        counter.reset();
        for (const { labels: values, count } of read()) counter.inc(values, count);
      };
    });
    for (const end of ENDS) this.#turnsEnded.inc({ end }, 0);
    for (const outcome of HOPS) this.#hops.inc({ outcome }, 0);
    this.#startTime.set(performance.timeOrigin / 1000);
    this.#delay.enable();
  }

  /** Counts a part that was not understood (WIRE-10). True: it is the first of its source and shape. */
  countUnread(source: string, shape: string): boolean {
    const key = `${source} ${shape}`;
    const isNew = !this.#unreadShapes.has(key) && this.#unreadShapes.size < MAX_SHAPES;
    if (isNew) this.#unreadShapes.add(key);
    this.#unread.inc({ source, shape: this.#unreadShapes.has(key) ? shape : 'other' });
    return isNew;
  }

  /** Returns a store that counts turns and tokens once they are written. */
  countWrites(store: Store): Store {
    this.#store = store;
    return countedStore(this.countFenced(store), {
      countTurn: status => {
        const end = ENDS.find(known => known === status);
        if (end) this.#turnsEnded.inc({ end });
      },
      countSpend: spend => this.#countTokens(spend),
    });
  }

  /** Returns queries that count each rejected write if several kernels share the database. */
  countFenced<Parts extends object>(parts: Parts): Parts {
    return this.#store?.fleet ? watchFenced(parts, () => this.#fencedWrites.inc()) : parts;
  }

  /** Counts every request when its connection has finished it, including streams and disconnected requests. */
  countRequests(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      this.#answering.add(reply);
      reply.raw.once('close', () => {
        this.#answering.delete(reply);
        const { method, routeOptions } = request;
        // The pattern of the route, because the number of addresses is unlimited.
        const route = routeOptions.url ?? 'none';
        this.#httpRequests.inc({ method, route, status: `${reply.raw.statusCode}` });
      });
      done();
    });
  }

  /** Returns the text of GET /metrics, with current gauges. */
  async read(kernel: Kernel): Promise<string> {
    const unfinished = (await this.#store?.turns.listUnfinished()) ?? [];
    for (const status of OPEN) {
      this.#turnsOpen.set({ status }, unfinished.filter(turn => turn.status === status).length);
    }
    this.#streamsOpen.set(this.#countStreams());
    this.#requestsPending.set(kernel.operations.pending().requests.length);
    for (const read of this.#features) read();
    await this.#readFleet(kernel.membership);
    this.#logSize.set(this.#store?.logSize() ?? 0);
    this.#readProcess();
    return this.#text();
  }

  /** Counts a request to another kernel. */
  countHop(outcome: (typeof HOPS)[number], seconds: number): void {
    this.#hops.inc({ outcome });
    this.#hopSeconds.observe(seconds);
  }

  /** Counts a long block of the event loop. */
  countLoopBlock(): void {
    this.#loopBlocks.inc();
  }

  stop(): void {
    this.#delay.disable();
  }

  /** The text of prom-client has empty lines between metrics, which not every reader accepts. */
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

  async #readFleet({ id, fleet }: Kernel['membership']): Promise<void> {
    this.#info.set({ kernel: id, name: fleet?.name ?? hostname(), version: packageJson.version }, 1);
    const living = fleet ? (await fleet.list()).filter(({ here }) => here).length : 1;
    this.#kernelsAlive.set(living);
    this.#chatsOwned.set(fleet?.owned ?? 0);
    this.#takeovers.reset();
    this.#takeovers.inc(fleet?.takeovers ?? 0);
  }

  #readProcess(): void {
    for (const percent of PERCENTILES) {
      this.#eventLoopDelay.set({ quantile: `${percent / 100}` }, this.#delay.percentile(percent) / 1e9);
    }
    // Each scrape contains the delays since the previous one.
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
