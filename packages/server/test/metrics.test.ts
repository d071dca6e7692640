/** The text of metrics: its bytes, on names that are hard to write, and what is counted in it. */
import type { Kernel, SpendRow, Store } from '@chat-kernel/kernel';
import { expect, it, onTestFinished } from 'vitest';
import { Metrics } from '../src/metrics/metrics.ts';

/** The ports of turns, chats and spend in one, with private fields, as classes have them. */
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
  operations: { pending: () => ({ requests: [{}] }) },
  push: { counts: [] },
} as unknown as Kernel;
const spendOf = (model: string, prompt_tokens: number) =>
  ({ model, prompt_tokens, completion_tokens: 2, reasoning_tokens: 1, cached_tokens: 0 }) as SpendRow;

function metricsOf(): { metrics: Metrics; store: Store; inner: WritablePorts } {
  const metrics = new Metrics();
  onTestFinished(() => metrics.stop());
  const inner = new WritablePorts();
  const store = { turns: inner, chats: inner, spend: inner } as unknown as Store;
  return { metrics, store: metrics.countWrites(store), inner };
}

it('writes each metric with its help and type, without empty lines, and labels that can be any text', async () => {
  const { metrics, store } = metricsOf();
  const ids = { turn_id: 't', chat_id: 'c' };
  await store.turns.write({ ...ids, turn: { status: 'completed' }, spend: spendOf('a"b\\c\nd', 3) });
  await store.turns.write({ ...ids, turn: { status: 'running' } });
  await store.turns.write({ ...ids, turn: {} });
  await store.chats.write({ chat_id: 'c', spend: spendOf('a"b\\c\nd', 4) });
  await store.spend.record(spendOf('other', 5));
  const text = await metrics.read(kernel);
  expect(text.slice(0, text.indexOf('# HELP chat_kernel_event_loop_delay_seconds'))).toBe(
    `# HELP chat_kernel_turns_ended_total Turns that ended since the start of the process, by their end.
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
# HELP chat_kernel_streams_open Event streams that somebody reads.
# TYPE chat_kernel_streams_open gauge
chat_kernel_streams_open 0
# HELP chat_kernel_requests_pending Requests to clients that wait for an answer.
# TYPE chat_kernel_requests_pending gauge
chat_kernel_requests_pending 1
# HELP chat_kernel_http_requests_total HTTP requests that were answered, by route and status.
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
    '# TYPE chat_kernel_push_total counter',
    '# TYPE chat_kernel_info gauge',
    '# TYPE chat_kernel_kernels_alive gauge',
    '# TYPE chat_kernel_chats_owned gauge',
    '# TYPE chat_kernel_takeovers_total counter',
    '# TYPE chat_kernel_fenced_writes_total counter',
    '# TYPE chat_kernel_hops_total counter',
    '# TYPE chat_kernel_hop_seconds histogram',
    '# TYPE process_cpu_seconds_total counter',
    '# TYPE process_resident_memory_bytes gauge',
    '# TYPE process_heap_bytes gauge',
    '# TYPE process_start_time_seconds gauge',
  ]);
  expect(text).toMatch(/\nprocess_start_time_seconds \d+(\.\d+)?\n$/);
});

it('counts nothing that was not written, and leaves the store as it is', async () => {
  const { metrics, store, inner } = metricsOf();
  const method = inner.record;
  await expect(store.spend.record(null as unknown as SpendRow)).rejects.toThrow('the disk is full');
  expect(await metrics.read(kernel)).not.toContain('chat_kernel_tokens_total{');
  await store.spend.record(spendOf('m', 1));
  expect([inner.written(), inner.record]).toEqual([1, method]);
});

it('counts for one server alone', async () => {
  const [first, second] = [metricsOf(), metricsOf()];
  await first.store.spend.record(spendOf('m', 1));
  expect(await second.metrics.read(kernel)).not.toContain('model="m"');
});
