/** The text of metrics: its bytes, on names that are hard to write, and what is counted in it. */
import type { Kernel, SpendRow, Store } from '@chat-kernel/kernel';
import { expect, it, onTestFinished } from 'vitest';
import { Metrics } from '../src/metrics/metrics.ts';

/** A store with private fields, as classes have them. */
class WritableStore {
  readonly #written: unknown[] = [];

  async writeTurn(write: unknown): Promise<void> {
    this.#written.push(write);
  }
  async writeChat(write: unknown): Promise<void> {
    this.#written.push(write);
  }
  async addSideSpend(spend: unknown): Promise<void> {
    if (spend === null) throw new Error('the disk is full');
    this.#written.push(spend);
  }
  async unfinishedTurns(): Promise<{ status: string }[]> {
    return [{ status: 'running' }, { status: 'running' }, { status: 'sleeping' }];
  }
  written(): number {
    return this.#written.length;
  }
}
const kernel = { operations: { pending: () => ({ requests: [{}] }) } } as unknown as Kernel;
const spendOf = (model: string, prompt_tokens: number) =>
  ({ model, prompt_tokens, completion_tokens: 2, reasoning_tokens: 1, cached_tokens: 0 }) as SpendRow;

function metricsOf(): { metrics: Metrics; store: Store; inner: WritableStore } {
  const metrics = new Metrics();
  onTestFinished(() => metrics.stop());
  const inner = new WritableStore();
  return { metrics, store: metrics.countWrites(inner as unknown as Store), inner };
}

it('writes each metric with its help and type, without empty lines, and labels that can be any text', async () => {
  const { metrics, store } = metricsOf();
  const ids = { turn_id: 't', chat_id: 'c' };
  await store.writeTurn({ ...ids, turn: { status: 'completed' }, spend: spendOf('a"b\\c\nd', 3) });
  await store.writeTurn({ ...ids, turn: { status: 'running' } });
  await store.writeTurn({ ...ids, turn: {} });
  await store.writeChat({ chat_id: 'c', spend: spendOf('a"b\\c\nd', 4) });
  await store.addSideSpend(spendOf('other', 5));
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
  expect(text.split('\n').filter(line => line.startsWith('# TYPE')).slice(6)).toEqual([
    '# TYPE chat_kernel_event_loop_delay_seconds gauge',
    '# TYPE process_cpu_seconds_total counter',
    '# TYPE process_resident_memory_bytes gauge',
    '# TYPE process_heap_bytes gauge',
    '# TYPE process_start_time_seconds gauge',
  ]);
  expect(text).toMatch(/\nprocess_start_time_seconds \d+(\.\d+)?\n$/);
});

it('counts nothing that was not written, and leaves the store as it is', async () => {
  const { metrics, store, inner } = metricsOf();
  const method = inner.addSideSpend;
  await expect(store.addSideSpend(null as unknown as SpendRow)).rejects.toThrow('the disk is full');
  expect(await metrics.read(kernel)).not.toContain('chat_kernel_tokens_total{');
  await store.addSideSpend(spendOf('m', 1));
  expect([inner.written(), inner.addSideSpend]).toEqual([1, method]);
});

it('counts for one server alone', async () => {
  const [first, second] = [metricsOf(), metricsOf()];
  await first.store.addSideSpend(spendOf('m', 1));
  expect(await second.metrics.read(kernel)).not.toContain('model="m"');
});
