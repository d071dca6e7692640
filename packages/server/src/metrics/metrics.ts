/**
 * What this process counts of itself. Counted where a request or a turn ends and where the books are written, never
 * where a token passes.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DaySpend, Kernel, SpendRow, Store } from '@chat-kernel/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Counter } from './counter.ts';
import { expose, type Family } from './exposition.ts';

const STREAM_TYPE = 'text/event-stream';
const ENDS = ['completed', 'failed', 'cancelled'] as const;
const OPEN = ['queued', 'sleeping', 'running'] as const;
const TOKENS = ['prompt', 'completion', 'reasoning', 'cached'] as const;

export class Metrics {
  readonly #turns = new Counter();
  readonly #tokens = new Counter();
  readonly #requests = new Counter();
  #store: Store | undefined;
  readonly #answering = new Set<FastifyReply>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    for (const end of ENDS) this.#turns.add({ end }, 0);
    this.#delay.enable();
  }

  /** The same store; what is written through it is counted once it is written. */
  watchStore(store: Store): Store {
    const writeTurn = store.writeTurn.bind(store);
    const writeChat = store.writeChat.bind(store);
    const addSideSpend = store.addSideSpend.bind(store);
    this.#store = store;
    return Object.assign(store, {
      writeTurn: async (write: Parameters<Store['writeTurn']>[0]) => {
        await writeTurn(write);
        const end = ENDS.find(status => status === write.turn.status);
        if (end) this.#turns.add({ end });
        this.#addSpend(write.spend);
      },
      writeChat: async (write: Parameters<Store['writeChat']>[0]) => {
        await writeChat(write);
        this.#addSpend(write.spend);
      },
      addSideSpend: async (spend: SpendRow, days?: readonly DaySpend[]) => {
        await addSideSpend(spend, days);
        this.#addSpend(spend);
      },
    });
  }

  /** Counts every request when its connection is done with it, hung up ones and streams included. */
  watchRequests(app: FastifyInstance): void {
    app.addHook('onRequest', async (request, reply) => {
      this.#answering.add(reply);
      reply.raw.once('close', () => {
        this.#answering.delete(reply);
        const { method, routeOptions } = request;
        // The pattern: addresses are without number.
        const route = routeOptions.url ?? 'none';
        this.#requests.add({ method, route, status: `${reply.raw.statusCode}` });
      });
    });
  }

  /** The text of GET /metrics. What is a state is asked for now. */
  async read(kernel: Kernel): Promise<string> {
    const unfinished = (await this.#store?.unfinishedTurns()) ?? [];
    return expose([
      {
        name: 'chat_kernel_turns_ended_total',
        type: 'counter',
        help: 'Turns that ended since the start of the process, by their end.',
        samples: this.#turns.samples(),
      },
      {
        name: 'chat_kernel_turns_open',
        type: 'gauge',
        help: 'Turns that have not ended, by status.',
        samples: OPEN.map(status => ({
          labels: { status },
          value: unfinished.filter(turn => turn.status === status).length,
        })),
      },
      {
        name: 'chat_kernel_tokens_total',
        type: 'counter',
        help: 'Tokens since the start of the process. Reasoning is part of completion, cached is part of prompt.',
        samples: this.#tokens.samples(),
      },
      gauge('chat_kernel_streams_open', 'Event streams that somebody reads.', this.#streams()),
      gauge(
        'chat_kernel_requests_pending',
        'Requests to clients that wait for an answer.',
        kernel.operations.pending().requests.length,
      ),
      {
        name: 'chat_kernel_http_requests_total',
        type: 'counter',
        help: 'HTTP requests that were answered, by route and status.',
        samples: this.#requests.samples(),
      },
      ...this.#process(),
    ]);
  }

  stop(): void {
    this.#delay.disable();
  }

  #addSpend(spend: SpendRow | undefined): void {
    if (!spend) return;
    for (const kind of TOKENS) {
      this.#tokens.add({ model: spend.model, kind }, spend[`${kind}_tokens`]);
    }
  }

  #streams(): number {
    return [...this.#answering].filter(
      reply => reply.raw.headersSent && reply.getHeader('content-type') === STREAM_TYPE,
    ).length;
  }

  #process(): Family[] {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const delay = this.#delay;
    const quantiles = [50, 99].map(percent => ({
      labels: { quantile: `${percent / 100}` },
      value: delay.percentile(percent) / 1e9,
    }));
    // Each scrape tells of the time since the one before.
    delay.reset();
    return [
      {
        name: 'chat_kernel_event_loop_delay_seconds',
        type: 'gauge',
        help: 'How late the event loop was since the last scrape; a quiet one shows its clock of 20 ms.',
        samples: quantiles,
      },
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'Time of the processor.',
        samples: [{ value: (user + system) / 1e6 }],
      },
      gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
      gauge('process_heap_bytes', 'JavaScript heap in use.', heapUsed),
      gauge('process_start_time_seconds', 'When the process began.', performance.timeOrigin / 1000),
    ];
  }
}

const gauge = (name: string, help: string, value: number): Family => ({
  name,
  type: 'gauge',
  help,
  samples: [{ value }],
});
