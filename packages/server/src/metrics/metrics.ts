/**
 * Metrics of this process. They are counted where a request or a turn ends and where spend is written, never where a
 * token passes.
 */
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Kernel, SpendRow, Store } from '@chat-kernel/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import packageJson from '../../package.json' with { type: 'json' };
import { countedStore } from './counted-store.ts';
import { watchFenced } from './fenced-writes.ts';

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const STREAM_TYPE = 'text/event-stream';
const ENDS = ['completed', 'failed', 'cancelled'] as const;
const OPEN = ['queued', 'sleeping', 'running'] as const;
const TOKENS = ['prompt', 'completion', 'reasoning', 'cached'] as const;
/** The last is the longest delay. */
const PERCENTILES = [50, 99, 100];
const HOPS = ['answered', 'moved', 'no_answer'] as const;
/** Seconds. Within one machine a hop takes some milliseconds; one that waits for a new owner takes up to 15 s. */
const HOP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

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
  readonly #info = this.#gauge(
    'chat_kernel_info',
    'Always 1: the kernel by its id, new with each start, the name of its machine, and its version.',
    ['kernel', 'name', 'version'],
  );
  readonly #kernelsAlive = this.#gauge(
    'chat_kernel_kernels_alive',
    'Kernels on the database that have said lately that they live.',
  );
  readonly #chatsOwned = this.#gauge(
    'chat_kernel_chats_owned',
    'Chats that this kernel owns, where several share the database.',
  );
  readonly #takeovers = this.#counter(
    'chat_kernel_takeovers_total',
    'Chats with open turns that this kernel took because nobody alive owned them.',
  );
  readonly #fencedWrites = this.#counter(
    'chat_kernel_fenced_writes_total',
    'Writes that the database refused because their chat belongs to another kernel by now.',
  );
  readonly #hops = this.#counter(
    'chat_kernel_hops_total',
    'Requests to other kernels, by how they ended: answered, moved (the chat has another owner), no_answer.',
    ['outcome'],
  );
  readonly #hopSeconds = new Histogram({
    name: 'chat_kernel_hop_seconds',
    help: 'Time from a request to another kernel to the beginning of its answer.',
    buckets: HOP_BUCKETS,
    registers: [this.#registry],
  });
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
    for (const outcome of HOPS) this.#hops.inc({ outcome }, 0);
    this.#startTime.set(performance.timeOrigin / 1000);
    this.#delay.enable();
  }

  /** Returns a store that counts turns and tokens once they are written. */
  countWrites(store: Store): Store {
    this.#store = store;
    const watched = store.fleet ? watchFenced(store, () => this.#fencedWrites.inc()) : store;
    return countedStore(watched, {
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
    await this.#readFleet(kernel);
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

  async #readFleet({ id, fleet }: Kernel): Promise<void> {
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
