/** Tests the text of metrics: its bytes with names that need escaping, and the counts in it. */
import type { Kernel, SpendRow, Store } from '@chat-kernel/kernel';
import { expect, it, onTestFinished } from 'vitest';
import { Metrics } from '../src/metrics/metrics.ts';

/** Combines the ports of turns, chats and spend, with private fields as classes have them. */
class WritablePorts {
  readonly #written: unknown[] = [];

  async write(write: unknown): Promise<void> {
    this.#written.push(write);
  }
  async record(spend: unknown): Promise<void> {
    if (spend === null) throw new Error('the disk is full');
    this.#written.push(spend);
  }
  async listUnfinished(): Promise<{ status: string }[]> {
    return [{ status: 'running' }, { status: 'running' }, { status: 'sleeping' }];
  }
  written(): number {
    return this.#written.length;
  }
}
const kernel = {
  membership: {},
  operations: { pending: () => ({ requests: [{}] }) },
} as unknown as Kernel;
const spendOf = (model: string, prompt_tokens: number) =>
  ({ model, prompt_tokens, completion_tokens: 2, reasoning_tokens: 1, cached_tokens: 0 }) as SpendRow;

function metricsOf(): { metrics: Metrics; store: Store; inner: WritablePorts } {
  const metrics = new Metrics();
  onTestFinished(() => metrics.stop());
  const inner = new WritablePorts();
  const store = { turns: inner, chats: inner, spend: inner, logSize: () => 0 } as unknown as Store;
  return { metrics, store: metrics.countWrites(store), inner };
}

it('writes each metric with its help and type, without empty lines, and with any text as label', async () => {
  const { metrics, store } = metricsOf();
  const ids = { turn_id: 't', chat_id: 'c' };
  await store.turns.write({ ...ids, turn: { status: 'completed' }, spend: spendOf('a"b\\c\nd', 3) });
  await store.turns.write({ ...ids, turn: { status: 'running' } });
  await store.turns.write({ ...ids, turn: {} });
  await store.chats.write({ chat_id: 'c', spend: spendOf('a"b\\c\nd', 4) });
  await store.spend.record(spendOf('other', 5));
  const text = await metrics.read(kernel);
  expect(text.slice(0, text.indexOf('# HELP chat_kernel_event_loop_delay_seconds'))).toBe(
    `# HELP chat_kernel_turns_ended_total Turns that ended since the start of the process, by outcome.
# TYPE chat_kernel_turns_ended_total counter
chat_kernel_turns_ended_total{end="completed"} 1
chat_kernel_turns_ended_total{end="failed"} 0
chat_kernel_turns_ended_total{end="cancelled"} 0
# HELP chat_kernel_turns_open Turns that have not ended, by status.
# TYPE chat_kernel_turns_open gauge
chat_kernel_turns_open{status="queued"} 0
chat_kernel_turns_open{status="sleeping"} 1
chat_kernel_turns_open{status="running"} 2
# HELP chat_kernel_tokens_total Tokens since the start of the process. Reasoning is part of completion, cached is part of prompt.
# TYPE chat_kernel_tokens_total counter
chat_kernel_tokens_total{model="a\\"b\\\\c\\nd",kind="prompt"} 7
chat_kernel_tokens_total{model="a\\"b\\\\c\\nd",kind="completion"} 4
chat_kernel_tokens_total{model="a\\"b\\\\c\\nd",kind="reasoning"} 2
chat_kernel_tokens_total{model="a\\"b\\\\c\\nd",kind="cached"} 0
chat_kernel_tokens_total{model="other",kind="prompt"} 5
chat_kernel_tokens_total{model="other",kind="completion"} 2
chat_kernel_tokens_total{model="other",kind="reasoning"} 1
chat_kernel_tokens_total{model="other",kind="cached"} 0
# HELP chat_kernel_streams_open Open event streams.
# TYPE chat_kernel_streams_open gauge
chat_kernel_streams_open 0
# HELP chat_kernel_requests_pending Pending requests to clients.
# TYPE chat_kernel_requests_pending gauge
chat_kernel_requests_pending 1
# HELP chat_kernel_http_requests_total Completed HTTP requests, by route and status.
# TYPE chat_kernel_http_requests_total counter
`,
  );
  expect(
    text
      .split('\n')
      .filter(line => line.startsWith('# TYPE'))
      .slice(6),
  ).toEqual([
    '# TYPE chat_kernel_event_loop_delay_seconds gauge',
    '# TYPE chat_kernel_event_loop_blocks_total counter',
    '# TYPE chat_kernel_unknown_parts_total counter',
    '# TYPE chat_kernel_info gauge',
    '# TYPE chat_kernel_kernels_alive gauge',
    '# TYPE chat_kernel_chats_owned gauge',
    '# TYPE chat_kernel_takeovers_total counter',
    '# TYPE chat_kernel_fenced_writes_total counter',
    '# TYPE chat_kernel_hops_total counter',
    '# TYPE chat_kernel_hop_seconds histogram',
    '# TYPE chat_kernel_write_ahead_log_bytes gauge',
    '# TYPE process_cpu_seconds_total counter',
    '# TYPE process_resident_memory_bytes gauge',
    '# TYPE process_heap_bytes gauge',
    '# TYPE process_start_time_seconds gauge',
  ]);
  expect(text).toMatch(/\nprocess_start_time_seconds \d+(\.\d+)?\n$/);
});

it('does not count a failed write, and leaves the store unchanged', async () => {
  const { metrics, store, inner } = metricsOf();
  const method = inner.record;
  await expect(store.spend.record(null as unknown as SpendRow)).rejects.toThrow('the disk is full');
  expect(await metrics.read(kernel)).not.toContain('chat_kernel_tokens_total{');
  await store.spend.record(spendOf('m', 1));
  expect([inner.written(), inner.record]).toEqual([1, method]);
});

it('counts for one server only', async () => {
  const [first, second] = [metricsOf(), metricsOf()];
  await first.store.spend.record(spendOf('m', 1));
  expect(await second.metrics.read(kernel)).not.toContain('model="m"');
});

it('shows the other kernels of the database, and a kernel without others as the only one', async () => {
  const { metrics } = metricsOf();
  const fleet = {
    name: 'desk',
    list: async () => [{ here: true }, { here: false }, { here: true }],
    owned: 3,
    takeovers: 4,
  };
  const read = (membership: object) => metrics.read({ ...kernel, membership } as unknown as Kernel);
  const shared = await read({ id: 'one', fleet });
  expect(shared).toMatch(/^chat_kernel_info\{kernel="one",name="desk",version="\d+\.\d+\.\d+"\} 1$/m);
  expect(shared).toContain('\nchat_kernel_kernels_alive 2\n');
  expect(shared).toContain('\nchat_kernel_chats_owned 3\n');
  expect(shared).toContain('\nchat_kernel_takeovers_total 4\n');
  const alone = await read({ id: 'one', fleet: null });
  expect(alone).toContain('\nchat_kernel_kernels_alive 1\n');
  expect(alone).toContain('\nchat_kernel_chats_owned 0\n');
  expect(alone).toContain('\nchat_kernel_takeovers_total 0\n');
});

it('shows when the process was started', async () => {
  const { metrics } = metricsOf();
  const [, seconds] = /^process_start_time_seconds (\S+)$/m.exec(await metrics.read(kernel)) ?? [];
  expect(Number(seconds)).toBeCloseTo(performance.timeOrigin / 1000, 0);
});

it('counts the writes that the database rejected because the chat has another owner [FLEET-2]', async () => {
  const { metrics, store } = metricsOf();
  const fenced = Object.assign(new Error('moved'), { code: 'fenced' });
  const parts = {
    name: 'queries',
    reads: {
      size: 2,
      async write(error?: Error) {
        if (error) throw error;
        return this.size;
      },
    },
  };
  expect(metrics.countFenced(parts)).toBe(parts);
  const fleet = { others: async () => [] };
  metrics.countWrites({ turns: {}, chats: {}, spend: {}, fleet } as unknown as Store);
  const { name, reads } = metrics.countFenced(parts);
  expect([name, reads.size, await reads.write()]).toEqual(['queries', 2, 2]);
  for (let n = 0; n < 2; n++) await expect(reads.write(fenced)).rejects.toBe(fenced);
  await expect(reads.write(new Error('full'))).rejects.toThrow('full');
  // Reading the metrics needs a whole store.
  metrics.countWrites(store);
  expect(await metrics.read(kernel)).toContain('\nchat_kernel_fenced_writes_total 2\n');
});

it('counts what was not understood by source and shape, up to a bound of shapes', async () => {
  const { metrics } = metricsOf();
  expect([
    metrics.countUnread('p', 'a'),
    metrics.countUnread('p', 'a'),
    metrics.countUnread('q', 'a'),
  ]).toEqual([true, false, true]);
  for (let shape = 0; shape < 300; shape++) metrics.countUnread('p', `s${shape}`);
  const lines = (await metrics.read(kernel))
    .split('\n')
    .filter(line => line.startsWith('chat_kernel_unknown'));
  expect(lines).toHaveLength(201);
  expect(lines).toContain('chat_kernel_unknown_parts_total{source="p",shape="a"} 2');
  expect(lines).toContain('chat_kernel_unknown_parts_total{source="p",shape="other"} 102');
});
