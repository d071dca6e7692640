/** Tests turns whose window is filled by something that compaction cannot free. */
import { TurnRequest } from '@chat-kernel/protocol';
import { afterEach, expect, it } from 'vitest';
import { comparable, foldItems } from '../../../test/harness/items.ts';
import { ModelError, type ModelEvent, type ModelRequest, type Tool } from '../src/index.ts';
import { promptTokens } from '../src/model/token-estimate.ts';
import { allOf, type Core, calls, openCore, says, tool } from './core.ts';

const WINDOW = 16_000;

let core: Core;
afterEach(() => core.close());

/** The tools of one MCP server: together 12,700 tokens, a few of which go to `read`. */
const TALKATIVE: Tool[] = Array.from({ length: 60 }, (_, n) => ({
  ...tool(n === 0 ? 'read' : `file_tool_${n}`, async ({ from }) => ({
    output: `${from}: ${'line '.repeat(n === 0 ? 40 : 1)}`,
  })),
  description: 'Explains at length what it does. '.repeat(24).slice(0, n === 0 ? 100 : 790),
  source: 'mcp',
  group: 'files',
}));

/** A model that counts its prompt, and calls `read` in this number of steps of each turn. */
function reader(reads: number, requests: ModelRequest[]) {
  let done = 0;
  return async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    requests.push(request);
    const isFold = request.tools.length === 0;
    const calls = !isFold && done++ % (reads + 1) < reads;
    if (calls)
      yield { type: 'call', id: `call_number_${done}_of_the_model`, name: 'read', input: { from: done } };
    else yield { type: 'text', text: isFold ? '## Goal\nRead all files.' : 'Done.' };
    yield counted(request, calls ? 'tools' : 'stop');
  };
}

const counted = (request: ModelRequest, reason: 'stop' | 'tools' = 'stop'): ModelEvent => ({
  type: 'finish',
  reason,
  usage: {
    prompt_tokens: promptTokens(request),
    completion_tokens: 20,
    reasoning_tokens: 0,
    cached_tokens: 0,
  },
});

async function* refuses(): AsyncGenerator<ModelEvent> {
  yield* [];
  throw new ModelError('context_overflow', 'p answered 400: too long', false);
}

const newChat = async () => (await core.kernel.chats.create({})).id;

async function say(chat: string, text = 'Go.') {
  const { feed } = await core.kernel.turns.start(chat, TurnRequest.parse({ text }));
  const events = await allOf(feed);
  const items = foldItems(events);
  return {
    items,
    folds: events.filter(({ type }) => type === 'compacting').length,
    notes: items.flatMap(item =>
      item.kind === 'machine_note' && item.note === 'context_full' ? [item.text] : [],
    ),
    end: events.at(-1),
    error: events.find(event => event.type === 'error'),
  };
}

it('[WIRE-11] compacts at most once in a turn whose tools fill the window, and names them in one note', async () => {
  const requests: ModelRequest[] = [];
  core = await openCore({ tools: TALKATIVE, context_window: WINDOW, answer: reader(20, requests) });
  const chat = await newChat();
  const { folds, notes, end, items } = await say(chat);
  expect(end).toMatchObject({ type: 'done', status: 'completed' });
  expect(folds).toBeLessThanOrEqual(1);
  expect(requests.length).toBeLessThanOrEqual(22);
  expect(notes).toEqual([
    expect.stringMatching(
      /^\[full\] .* The tools of files fill most of the context window \(12,\d00 of 16,000 tokens\)\. Remove some of its tools, load them on demand, or choose a model with a larger window\.$/,
    ),
  ]);
  const { items: stored } = await core.kernel.history.items(chat, { limit: 100 });
  expect(comparable(stored).slice(-items.length)).toEqual(comparable(items));
});

it.each([
  ['almost at', WINDOW],
  ['over', 14_000],
])('compacts nothing in any turn if the tools alone are %s the limit, and names them in each', async (_, context_window) => {
  const requests: ModelRequest[] = [];
  core = await openCore({ tools: TALKATIVE, context_window, answer: reader(2, requests) });
  const chat = await newChat();
  const turns = [await say(chat), await say(chat), await say(chat)];
  expect(turns.map(({ folds, notes }) => [folds, notes.length])).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  expect(requests).toHaveLength(9);
});

it('compacts once if the count of the provider shows no gain, and again in the next turn', async () => {
  const requests: ModelRequest[] = [];
  core = await openCore({
    tools: TALKATIVE.slice(0, 1),
    context_window: WINDOW,
    // The provider counts 14,000 tokens whatever it gets, so each compaction seems to help.
    async *answer(request) {
      requests.push(request);
      const isFold = request.tools.length === 0;
      const isCall = !isFold && requests.length % 8 !== 0;
      if (isCall) yield { type: 'call', id: `call_number_${requests.length}_here`, name: 'read', input: {} };
      else yield { type: 'text', text: '## Goal\nRead all files.' };
      const usage = { completion_tokens: 5, reasoning_tokens: 0, cached_tokens: 0 };
      yield {
        type: 'finish',
        reason: isCall ? 'tools' : 'stop',
        usage: { ...usage, prompt_tokens: isFold ? 900 : 14_000 },
      };
    },
  });
  const chat = await newChat();
  const [first, second] = [await say(chat, 'x'.repeat(2000)), await say(chat)];
  expect([first.folds, second.folds]).toEqual([1, 1]);
  expect([first.notes.length, second.notes.length]).toEqual([1, 1]);
});

it('names the message that fills the window, without a compaction that cannot help', async () => {
  core = await openCore({ context_window: WINDOW });
  const chat = await newChat();
  await say(chat, 'Hello.');
  const { folds, notes, items } = await say(chat, 'word '.repeat(11_000));
  expect(folds).toBe(0);
  expect(notes).toEqual([
    expect.stringContaining(
      'A message of this turn fills most of the context window (13,800 of 16,000 tokens). Send less text',
    ),
  ]);
  expect(items.map(({ kind }) => kind)).toEqual(['machine_note', 'agent_message']);
});

it('compacts once for refused requests if that frees too little, and then fails with what fills the window', async () => {
  core = await openCore({ tools: TALKATIVE, context_window: 100_000 });
  const chat = await newChat();
  await say(chat, 'Hello.');
  core.scripts.push(refuses, says('## Goal\nTea.'), calls('read'), refuses);
  const { folds, error, notes, items } = await say(chat);
  expect(folds).toBe(1);
  expect(error).toMatchObject({
    code: 'context_overflow',
    message: expect.stringMatching(
      /^p answered 400: too long\. The tools of files take the largest part of the context window \(12,\d00 of 100,000 tokens\)\. Remove/,
    ),
  });
  expect(notes).toEqual([]);
  expect(items.at(-1)).toMatchObject({ kind: 'machine_note', note: 'turn_failed' });
});
