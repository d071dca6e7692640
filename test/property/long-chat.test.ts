/**
 * Tests a chat of 2,000 turns (at scale; 600 in a normal run): it never exceeds the window of its model, and its last
 * turns cost as much as its first ones.
 */
import type { ModelEvent, ModelRequest } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { allOf, finish, openCore, tool } from '../../packages/kernel/test/core.ts';
import { atScale } from '../harness/scale.ts';

const TURNS = atScale(600, 2000);
const WINDOW = 8000;

/** Counts the characters that a provider reads. */
const charsOf = ({ system, messages, tools }: ModelRequest): number =>
  system.length +
  JSON.stringify(tools.map(({ name, description, input_schema }) => [name, description, input_schema]))
    .length +
  messages
    .flatMap(({ content }) => content)
    .map(block => ('text' in block ? block.text : 'output' in block ? block.output : JSON.stringify(block)))
    .join('').length;

test('[HIST-1] [HIST-2] keeps every request of a very long chat within the limit, with constant overhead', {
  timeout: 600_000,
}, async () => {
  let largest = 0;
  let summaries = 0;
  let turn = 0;
  /** Counts its input as real models do. Each fifth turn calls a tool with a long output. */
  async function* answer(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const chars = charsOf(request);
    largest = Math.max(largest, chars);
    const counted = { reasoning_tokens: 0, cached_tokens: 0, prompt_tokens: Math.ceil(chars / 4) };
    const results = request.messages.at(-1)?.content.filter(({ type }) => type === 'tool_result') ?? [];
    if (request.system.startsWith('You write the summary')) {
      summaries++;
      yield { type: 'text', text: `## State of the work\n${'It goes on. '.repeat(150)}` };
    } else if (turn % 5 === 0 && results.length === 0) {
      yield { type: 'call', id: 'call_0', name: 'look', input: { at: turn } };
      yield { ...finish('tools'), usage: { ...counted, completion_tokens: 10 } } as ModelEvent;
      return;
    } else {
      yield { type: 'text', text: `Answer ${turn}. ${'So it is. '.repeat(50)}` };
    }
    yield { ...finish(), usage: { ...counted, completion_tokens: 130 } } as ModelEvent;
  }
  const look = tool('look', async () => ({ output: 'What can be seen from here. '.repeat(150) }));
  const core = await openCore({ tools: [look], context_window: WINDOW, answer });
  const { id } = await core.kernel.chats.create({});
  /** Milliseconds of each turn: processor time, and wall-clock time, which includes the disk and other programs. */
  const [work, times]: [number[], number[]] = [[], []];
  for (; turn < TURNS; turn++) {
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const text = `Question ${turn}. ${'What about it? '.repeat(20)}`;
    const { feed } = await core.kernel.turns.start(id, { text, on_busy: 'queue' });
    const done = (await allOf(feed)).at(-1);
    times.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    work.push((user + system) / 1000);
    expect(done).toMatchObject({ type: 'done', status: 'completed' });
  }
  const items = await core.kernel.history.items(id, { limit: 500 });
  expect(new Set(items.items.flatMap(item => (item.kind === 'tool_call' ? [item.call_id] : []))).size).toBe(
    items.items.filter(({ kind }) => kind === 'tool_call').length,
  );
  await core.close();
  const [early, late] = [median(work.slice(100, 200)), median(work.slice(-100))];
  const [first, last] = [median(times.slice(100, 200)), median(times.slice(-100))];
  process.stdout.write(
    `${TURNS} turns, ${summaries} folds, largest request ${Math.ceil(largest / 4)} of ${WINDOW} tokens; median turn: ` +
      `100 to 200 ${early.toFixed(2)} ms of work in ${first.toFixed(2)} ms, ` +
      `the last 100 ${late.toFixed(2)} ms of work in ${last.toFixed(2)} ms\n`,
  );
  expect(largest / 4).toBeLessThan(WINDOW);
  expect(summaries).toBeGreaterThan(TURNS / 50);
  expect(late).toBeLessThan(early * 2);
  expect(core.logged).toEqual([]);
});

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
