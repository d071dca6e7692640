import {
  type Clock,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type StoredBlock,
  systemClock,
} from '@chat-kernel/kernel';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openDemo } from '../src/demo/demo.ts';

/** A clock whose time passes immediately; `waited` counts it. */
function instantClock(): Clock & { waited: number } {
  return {
    waited: 0,
    now: () => 0,
    after(ms, callback) {
      this.waited += ms;
      queueMicrotask(callback);
      return () => {};
    },
  };
}

const TOOLS = ['read_file', 'shell', 'think_harder', 'plan', 'ask_questions'];
const say = (text: string): Messages => [{ role: 'user', content: [{ type: 'text', text }] }];
type Messages = ModelRequest['messages'][number][];

const request = (messages: Messages, more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'Be kind.',
  messages,
  tools: TOOLS.map(name => ({ name, description: name, input_schema: { type: 'object' } })),
  effort: 'low',
  cache_key: 'chat',
  loadImage: async () => undefined,
  ...more,
});

async function answer(messages: Messages, more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of openDemo(instantClock()).stream(request(messages, more), AbortSignal.any([]))) {
    events.push(event);
  }
  return events;
}

const textOf = (events: ModelEvent[], type: 'text' | 'thinking' = 'text') =>
  events.map(event => (event.type === type ? event.text : '')).join('');
const callsOf = (events: ModelEvent[]) => events.filter(event => event.type === 'call');

/** The chat after the results of the model's calls were added. */
const withResults = (messages: Messages, events: ModelEvent[], output = 'fine'): Messages => {
  const calls = callsOf(events);
  const results: StoredBlock[] = calls.map(call => ({
    type: 'tool_result',
    tool_use_id: call.id,
    output,
    is_error: false,
  }));
  const uses: StoredBlock[] = calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
  return [...messages, { role: 'assistant', content: uses }, { role: 'user', content: results }];
};

describe('text answers', () => {
  test('introduces the demo and its commands in the first answer only', async () => {
    const first = textOf(await answer(say('hello there')));
    expect(first).toContain('no real model');
    expect(first).toContain('`read README.md`');
    expect(first).toContain('`plan`');
    expect(first).toContain('You said: hello there');
    const later: Messages = [...say('hi'), { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }];
    expect(textOf(await answer([...later, ...say('hello there')]))).toBe('You said: hello there');
  });

  test('names only what the offered tools allow', async () => {
    const text = textOf(await answer(say('hello'), { tools: [] }));
    expect(text).not.toContain('read README.md');
    expect(text).not.toContain('`plan`');
  });

  test('answers word by word, 15 ms each, and counts them', async () => {
    const clock = instantClock();
    const events: ModelEvent[] = [];
    for await (const event of openDemo(clock).stream(request(say('long')), AbortSignal.any([])))
      events.push(event);
    const words = events.filter(event => event.type === 'text').length;
    expect(words).toBeGreaterThan(600);
    expect(clock.waited).toBe(words * 15);
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'stop',
      usage: { completion_tokens: words, reasoning_tokens: 0, cached_tokens: 0 },
    });
  });

  test('gives the same answer to the same request', async () => {
    expect(await answer(say('draw a fish, long'))).toEqual(await answer(say('draw a fish, long')));
  });

  test('stops at max_output_tokens', async () => {
    const events = await answer(say('long'), { max_output_tokens: 7 });
    expect(events.slice(0, -1)).toHaveLength(7);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
  });

  test('ends between two words on an abort', async () => {
    const control = new AbortController();
    let words = 0;
    const listen = async () => {
      for await (const _event of openDemo(systemClock).stream(request(say('slow')), control.signal)) {
        if (++words === 2) control.abort();
      }
    };
    await expect(listen()).rejects.toThrow('aborted');
    expect(words).toBe(2);
  });

  test('ignores notes of the kernel and results as text of the user', async () => {
    const content: StoredBlock[] = [
      { type: 'text', text: '[failed] draw', internal: { note: 'turn_failed' } },
      { type: 'context', text: 'draw' },
      { type: 'text', text: 'hello' },
      { type: 'image', media_type: 'image/png', data: '' },
    ];
    const events = await answer([{ role: 'user', content }]);
    expect(events.some(event => event.type === 'image')).toBe(false);
    expect(textOf(events)).toContain('I see 1 image. You said: hello');
  });
});

describe('features by plain text', () => {
  test('"think" thinks, and so does a higher effort', async () => {
    expect(textOf(await answer(say('hello')), 'thinking')).toBe('');
    for (const events of [await answer(say('please think')), await answer(say('hello'), { effort: 'mid' })]) {
      expect(textOf(events, 'thinking')).toContain('A real model would');
      const usage = events.at(-1)?.type === 'finish' ? events.at(-1) : undefined;
      expect(usage).toMatchObject({ usage: { reasoning_tokens: expect.toSatisfy(count => count > 10) } });
    }
  });

  test('"think harder" calls the tool if it is offered', async () => {
    const asked = say('think harder about tea');
    const events = await answer(asked);
    expect(callsOf(events)).toMatchObject([{ name: 'think_harder', input: {} }]);
    expect(events.at(-1)).toMatchObject({ reason: 'tools' });
    expect(textOf(await answer(withResults(asked, events)), 'thinking')).toContain('Harder');
    const bare = await answer(asked, { tools: [] });
    expect(callsOf(bare)).toEqual([]);
    expect(textOf(bare)).toContain('think_harder is not offered');
  });

  test('"read" reads each path with its own call and sums up the results', async () => {
    const asked = say('Please read README.md, src/main.ts and "docs/a b.md".');
    const events = await answer(asked);
    expect(callsOf(events).map(call => call.input)).toEqual([
      { files: [{ path: 'README.md' }] },
      { files: [{ path: 'src/main.ts' }] },
      { files: [{ path: 'docs/a' }] },
      { files: [{ path: 'b.md' }] },
    ]);
    expect(new Set(callsOf(events).map(call => call.id)).size).toBe(4);
    const summary = await answer(withResults(asked, events, 'x'.repeat(300)));
    expect(textOf(summary)).toContain('`read_file` answered: xxx');
    expect(textOf(summary)).toContain('(300 characters)');
    expect(callsOf(summary)).toEqual([]);
    expect(callsOf(await answer(say('I read a book')))).toEqual([]);
    expect(callsOf(await answer(say('read docs/plan.md')))).toHaveLength(1);
  });

  test('"shelve" loads the book tools on demand, then puts files and attachments on the shelf', async () => {
    const toolsOf = (...names: string[]) => ({
      tools: names.map(name => ({ name, description: name, input_schema: { type: 'object' } })),
    });
    const file = { id: 'f', name: 'b.pdf', size: 1, media_type: 'application/pdf', url: '/files/f' };
    const asked: Messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'shelve a.pdf' },
          { type: 'text', text: '[file f]', internal: { file } },
        ],
      },
    ];
    const first = await answer(asked, toolsOf('load_tools'));
    expect(callsOf(first)).toMatchObject([{ name: 'load_tools', input: { group: 'books' } }]);
    const second = await answer(withResults(asked, first), toolsOf('books_upload'));
    expect(callsOf(second)).toMatchObject([
      { name: 'books_upload', input: { path: 'a.pdf' } },
      { name: 'books_upload', input: { file_id: 'f' } },
    ]);
    const loading = say('call load_tools {"group": "books"}');
    const loaded = await answer(loading, toolsOf('load_tools'));
    expect(callsOf(await answer(withResults(loading, loaded), toolsOf('books_upload')))).toEqual([]);
    expect(callsOf(await answer(say('look up the sea'), toolsOf('books_search')))).toMatchObject([
      { name: 'books_search', input: { query: 'the sea' } },
    ]);
  });

  test('"draw" sends a real PNG, a different one for different text', async () => {
    const drawn = async (words: string) =>
      (await answer(say(words))).find(event => event.type === 'image')!.bytes;
    const bytes = await drawn('draw a cat');
    const { format, width, height } = await sharp(bytes).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 256, height: 256 });
    await expect(sharp(bytes).raw().toBuffer()).resolves.toHaveLength(256 * 256 * 3);
    expect(await drawn('draw a dog')).not.toEqual(bytes);
  });

  test('"plan" moves its tasks from pending to completed, then sums up', async () => {
    let messages = say('make a plan');
    const seen: string[] = [];
    for (let trip = 0; trip < 10; trip++) {
      const events = await answer(messages);
      const [call] = callsOf(events);
      if (!call) break;
      expect(call.name).toBe('plan');
      seen.push((call.input.tasks as { status: string }[]).map(task => task.status[0]).join(''));
      messages = withResults(messages, events);
    }
    expect(seen).toEqual(['ppp', 'ipp', 'cip', 'cci', 'ccc']);
    expect(textOf(await answer(messages))).toContain('`plan` answered: fine');
  });

  test('"call" calls any offered tool with the JSON after its name', async () => {
    expect(callsOf(await answer(say('call shell {"commands": ["read a.md"]}')))).toMatchObject([
      { name: 'shell', input: { commands: ['read a.md'] } },
    ]);
    expect(callsOf(await answer(say('call think_harder')))).toMatchObject([{ input: {} }]);
    expect(textOf(await answer(say('call shell {oops}')))).toContain('must be a JSON object');
    expect(textOf(await answer(say('call nothing {}')))).toContain('nothing is not offered');
    expect(textOf(await answer(say('call me')))).toContain('You said: call me');
  });

  test('"run" and "ask" reach their tools', async () => {
    expect(callsOf(await answer(say('run date -u')))).toMatchObject([{ input: { commands: ['date -u'] } }]);
    expect(callsOf(await answer(say('ask me something')))).toMatchObject([{ name: 'ask_questions' }]);
  });

  describe('features across chats and without the user', () => {
    const toolsOf = (...names: string[]) => ({
      tools: names.map(name => ({ name, description: name, input_schema: { type: 'object' } })),
    });
    const all = toolsOf(
      'memory',
      'search_chats',
      'skill',
      'schedule',
      'web_fetch',
      'web_search',
      'read_file',
    );
    const at = (ms: number) => new Date(ms).toISOString();

    test.each([
      ['remember that I drink tea', 'memory', { add: 'I drink tea' }],
      ['Remember: no', undefined, undefined],
      ['when did we talk about green tea?', 'search_chats', { query: 'green tea' }],
      ['Use the skill review-changes: the last one', 'skill', { name: 'review-changes' }],
      ['/write-commit', 'skill', { name: 'write-commit' }],
      ['/etc/hosts', undefined, undefined],
      ['read https://example.org/a.', 'web_fetch', { url: 'https://example.org/a' }],
      ['search the web for old harbours', 'web_search', { query: 'old harbours' }],
      [
        'remind me in 2 minutes to drink tea',
        'schedule',
        { add: { text: 'A reminder: drink tea', at: at(120_000) } },
      ],
      ['remind me to eat in 1 hour', 'schedule', { add: { text: 'A reminder: eat', at: at(3_600_000) } }],
      [
        'remind me every morning at 8: what is on today?',
        'schedule',
        { add: { text: 'A reminder: what is on today?', cron: '0 8 * * *' } },
      ],
      [
        'remind me every weekday at 17:30',
        'schedule',
        { add: { text: 'A reminder', cron: '30 17 * * MON-FRI' } },
      ],
      ['remind me every evening', 'schedule', { add: { text: 'A reminder', cron: '0 20 * * *' } }],
      ['remind me some day', undefined, undefined],
    ])('"%s"', async (words, name, input) => {
      const calls = callsOf(await answer(say(words), all)).map(call => [call.name, call.input]);
      expect(calls).toEqual(name === undefined ? [] : [[name, input]]);
    });

    test('names all of them in the first answer, and only offered ones', async () => {
      const words = [
        'remember that I drink tea',
        'what do you remember?',
        'when did we talk about …?',
        'remind me in 2 minutes to drink tea',
        'use the skill …',
        'read https://example.org',
        'search the web for harbours',
      ].map(word => `\`${word}\``);
      const [offered, bare] = [textOf(await answer(say('hi'), all)), textOf(await answer(say('hi')))];
      expect(words.filter(word => !offered.includes(word))).toEqual([]);
      expect(words.filter(word => bare.includes(word))).toEqual([]);
    });

    test('"what do you remember" lists the memory of the context, and later additions', async () => {
      const recall = 'What do you remember?';
      expect(textOf(await answer(say(recall)))).toContain('I remember nothing.');
      const told: StoredBlock = { type: 'context', text: '[memory]\nIn all chats:\n- [0a1b2c3d] Has a cat.' };
      const before: Messages = [
        { role: 'user', content: [told, { type: 'text', text: 'remember that I row' }] },
      ];
      const added = withResults(before, await answer(before, all));
      const events = await answer([...added, ...say(recall)], all);
      expect(textOf(events)).toBe('I remember, in every chat:\n\n- Has a cat.\n- I row\n');
    });
  });

  test('"fail" fails like a provider', async () => {
    const failure = await answer(say('please fail')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelError);
    expect(failure).toMatchObject({ code: 'upstream_error', retryable: false });
  });

  test('summarizes a conversation regardless of commands in it', async () => {
    const asked = '<conversation>\nUSER\nplease fail\n</conversation>\n\nWrite the summary now.';
    const events = await answer(say(asked), { tools: [] });
    const words = events.map(event => (event.type === 'text' ? event.text : '')).join('');
    expect(words.match(/^## .+$/gm)).toEqual([
      '## Goal',
      '## Decisions',
      '## Open items',
      '## Names and paths',
      '## State of the work',
    ]);
    await expect(answer(say(asked))).rejects.toThrow('The demo model failed');
  });

  test('"slow" takes 100 ms per word', async () => {
    const clock = instantClock();
    let words = 0;
    for await (const event of openDemo(clock).stream(request(say('slow')), AbortSignal.any([]))) {
      if (event.type === 'text') words += 1;
    }
    expect(words).toBeGreaterThan(80);
    expect(clock.waited).toBe(words * 100);
  });
});

test('costs nothing and accepts every effort', () => {
  expect(openDemo().record).toMatchObject({
    id: 'demo/demo',
    provider: 'demo',
    efforts: ['off', 'low', 'mid', 'high'],
    inputs: ['text', 'image'],
    price: { input: 0, output: 0 },
  });
});
