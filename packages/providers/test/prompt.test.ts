/** Tests which parts of a chat reach the provider, and their text. */
import type { StoredBlock } from '@chat-kernel/kernel';
import { describe, expect, test } from 'vitest';
import {
  assistant,
  messageOf,
  openWire,
  request,
  result,
  TOOLS,
  textOf,
  trip,
  user,
  WIRE_KINDS,
  type WireStand,
} from './wires.ts';

let stand: WireStand;

const sent = (index = -1) => stand.upstream.requests.at(index)!.body;
const wire = (index = -1) => JSON.stringify(sent(index));

describe.each(WIRE_KINDS)('%s', kind => {
  test('returns thinking with its signature only to its own model family', async () => {
    stand = await openWire(kind);
    stand.upstream.next({
      steps: [
        { thinking: 'secret thoughts', signature: 'SIGNATURE' },
        { call: { id: 'call_1', name: 'shell', input: {} } },
      ],
    });
    const first = await trip(stand.model, request({ effort: 'high' }));
    const messages = [user('hi'), messageOf(first.events), user(result('call_1', 'done'))];
    for (const effort of ['high', 'off'] as const) {
      const { error, events } = await trip(stand.model, request({ effort, messages }));
      expect(error).toBeUndefined();
      expect(textOf(events)).toBe('ok');
      // Chat completions have no signature; the thinking itself goes back.
      expect(wire()).toContain(kind === 'openai-compatible' ? 'secret thoughts' : 'SIGNATURE');
    }
    const { error } = await trip(stand.other, request({ effort: 'high', messages }));
    expect(error).toBeUndefined();
    expect(wire()).not.toContain('SIGNATURE');
    expect(wire()).not.toContain('secret thoughts');
  });

  test('sends no half characters, wherever a chat, a tool or the system text has them', async () => {
    stand = await openWire(kind);
    const half = (text: string) => `${text}\ud83d`;
    const { error } = await trip(
      stand.model,
      request({
        system: half('System'),
        messages: [
          user(half('Asked, with \\ud83d as text, and \\')),
          assistant(half('Answered'), { type: 'tool_use', id: 'c', name: 'shell', input: { path: 'a' } }),
          user(result('c', `\udc00output 😀`)),
        ],
        tools: [
          {
            name: 'shell',
            description: half('Runs'),
            input_schema: {
              type: 'object',
              properties: { path: { type: 'string', description: half('Where') } },
            },
          },
        ],
      }),
    );
    expect(error).toBeUndefined();
    expect(wire()).not.toMatch(/(?<!\\)\\ud[89a-f]/);
    for (const text of ['System', 'Answered', 'Runs', 'Where']) expect(wire()).toContain(`${text}\ufffd`);
    expect(wire()).toContain(JSON.stringify('Asked, with \\ud83d as text, and \\\ufffd').slice(1, -1));
    expect(wire()).toContain('\ufffdoutput 😀');
  });

  test('[HIST-3] omits thinking that was interrupted before its signature', async () => {
    stand = await openWire(kind);
    const half: StoredBlock = {
      type: 'thinking',
      text: 'half a thought',
      internal: {
        origin: { provider: 'p', family: stand.model.record.name, metadata: { openai: { itemId: 'rs_1' } } },
      },
    };
    const { error } = await trip(
      stand.model,
      request({ messages: [user('hi'), assistant(half, 'so'), user('go on')] }),
    );
    expect(error).toBeUndefined();
    if (kind !== 'openai-compatible') expect(wire()).not.toContain('half a thought');
  });

  test('returns a provider-encrypted thought unchanged', async () => {
    if (kind === 'openai-compatible') return;
    stand = await openWire(kind);
    stand.upstream.next({
      steps: [{ redacted: 'SEALED' }, { call: { id: 'call_1', name: 'shell', input: {} } }],
    });
    const first = await trip(stand.model, request({ effort: 'high' }));
    const messages = [user('hi'), messageOf(first.events), user(result('call_1', 'done'))];
    expect((await trip(stand.model, request({ effort: 'high', messages }))).error).toBeUndefined();
    expect(wire()).toContain('SEALED');
  });

  test('sends context and quote to the model as text, without markers of the kernel', async () => {
    stand = await openWire(kind);
    const messages = [
      user({
        type: 'text',
        text: '[compacted] marker',
        internal: { compaction: { text: '', upto_message: '' } },
      }),
      user({ type: 'context', text: 'It rains.' }, { type: 'quote', text: 'two\nlines' }, 'hello', {
        type: 'text',
        text: '[woken] note',
        internal: { note: 'woken' },
      }),
    ];
    expect((await trip(stand.model, request({ messages }))).error).toBeUndefined();
    const words = wire();
    expect(words).toContain('It rains.');
    expect(words).toContain('> two\\n> lines');
    expect(words).toContain('"hello"');
    expect(words).not.toMatch(/compacted|woken/);
  });

  test('maps call ids of other providers to the alphabet of this one', async () => {
    if (kind === 'openai-compatible') return;
    stand = await openWire(kind);
    const id = 'functions.shell:0';
    const messages = [
      user('hi'),
      assistant({ type: 'tool_use', id, name: 'shell', input: {} }),
      user(result(id, 'done', true), 'and now?'),
    ];
    expect((await trip(stand.model, request({ messages }))).error).toBeUndefined();
    expect(wire()).not.toContain('functions.shell:0');
    expect(wire()).toContain('and now?');
  });

  test('shares the whole prefix between two consecutive turns', async () => {
    stand = await openWire(kind);
    stand.upstream.next({ steps: [{ thinking: 'hm' }, { text: 'hello' }] });
    const first = await trip(stand.model);
    const messages = [user('hi'), messageOf(first.events)];
    await trip(stand.model, request({ messages: [...messages, user('more')] }));
    await trip(
      stand.model,
      request({ messages: [...messages, user('more'), assistant('yes'), user('again')] }),
    );
    const list = (index: number) => {
      const { messages, input, contents, ...rest } = sent(index);
      return { rest: JSON.stringify(unmarked(rest)), items: (messages ?? input ?? contents).map(unmarked) };
    };
    const [second, third] = [list(-2), list(-1)];
    expect(third.rest).toBe(second.rest);
    expect(third.items.slice(0, second.items.length)).toEqual(second.items);
  });

  test('sends max_output_tokens and the tools', async () => {
    stand = await openWire(kind);
    await trip(stand.model, request({ max_output_tokens: 777 }));
    expect(wire()).toContain('777');
    for (const tool of TOOLS) expect(wire()).toContain(`"${tool.name}"`);
  });

  test('converts a history of 1000 messages quickly on a second request', async () => {
    stand = await openWire(kind);
    const messages = Array.from({ length: 500 }, (_, index) => [
      user(`question ${index} ${'x'.repeat(200)}`),
      assistant(`answer ${index} ${'y'.repeat(800)}`),
    ]).flat();
    const asked = request({ messages: [...messages, user('last')] });
    await trip(stand.model, asked);
    const started = performance.now();
    await trip(stand.model, asked);
    const took = performance.now() - started;
    process.stdout.write(`${kind}: a trip with 1000 messages took ${took.toFixed(1)} ms\n`);
    expect(took).toBeLessThan(20_000);
  });
});

/** Returns a copy without the cache breakpoints, which move. */
function unmarked<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)));
}

test('marks the last tool, the system prompt, the newest message and that of the previous request as cached for Anthropic', async () => {
  stand = await openWire('anthropic');
  const call: StoredBlock = { type: 'tool_use', id: 'a', name: 'shell', input: {} };
  const messages = [
    user('one'),
    assistant('two'),
    user('three'),
    assistant(call),
    user(result('a', 'done'), 'four'),
  ];
  await trip(stand.model, request({ messages }));
  const mark = { type: 'ephemeral' };
  const body = sent();
  expect(body.tools.map((tool: { cache_control?: object }) => tool.cache_control)).toEqual([undefined, mark]);
  expect(body.system.at(-1).cache_control).toEqual(mark);
  const marks = body.messages.map((message: { content: { cache_control?: object }[] }) =>
    message.content.map(block => block.cache_control !== undefined),
  );
  expect(marks).toEqual([[false], [false], [true], [false], [false, true]]);
});

test('disables storage, requests encrypted thinking and routes by chat for OpenAI', async () => {
  stand = await openWire('openai');
  await trip(stand.model);
  expect(sent()).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'chat-1',
  });
});

test('omits a signature that the provider rejects, and retries', async () => {
  stand = await openWire('anthropic');
  const internal = {
    origin: { provider: 'p', family: 'claude-sonnet-4-5', metadata: { anthropic: { signature: 'stale' } } },
  };
  const messages = [user('hi'), assistant({ type: 'thinking', text: 'old', internal }, 'so'), user('go on')];
  const { events, error } = await trip(stand.model, request({ messages }));
  expect(error).toBeUndefined();
  expect(textOf(events)).toBe('ok');
  expect(stand.upstream.requests[0]?.rejected).toContain('signature');
});
