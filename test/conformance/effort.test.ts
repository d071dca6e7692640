/** Tests the reasoning level of a turn: its sources, their precedence, and the levels that a model accepts. */
import type { Effort, EffortSource, ModelSettings } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const ALL: ModelSettings['efforts'] = ['off', 'low', 'mid', 'high'];
const kernel = sharedKernel({
  settings: {
    llm: {
      reasoning: 'off',
      default_model: 'scripted/plain',
      models: [
        { id: 'scripted/plain', efforts: ALL },
        { id: 'scripted/leveled', efforts: ALL, effort: 'low' },
        { id: 'scripted/extremes', efforts: ['low', 'high'] },
        { id: 'scripted/modest', efforts: ['off', 'mid'] },
        { id: 'scripted/simple', efforts: ['off'] },
      ],
    },
  },
});

/** The sources of the level, strongest first, with the value of each in this test. */
const VOICES: [EffortSource, Effort][] = [
  ['turn', 'mid'],
  ['ultrathink', 'high'],
  ['chat', 'low'],
  ['surface', 'mid'],
  ['model', 'low'],
  ['global', 'off'],
];
const ON_WIRE = { off: undefined, low: 'low', mid: 'medium', high: 'high' } as const;

/** Runs a turn in which these sources set a level: returns the level it reports and the one in its first request. */
async function effortOf(speaking: readonly EffortSource[]) {
  const { client, upstream } = kernel;
  const said = (source: EffortSource) =>
    speaking.includes(source) ? new Map(VOICES).get(source) : undefined;
  const chat = await client.createChat({ effort: said('chat') ?? null });
  const asked = upstream.requests.length;
  const stream = await client.begin(chat.id, {
    text: speaking.includes('ultrathink') ? 'Please ultrathink.' : 'Please think.',
    effort: said('turn'),
    surface_effort: said('surface'),
    model: speaking.includes('model') ? 'scripted/leveled' : 'scripted/plain',
  });
  await stream.all();
  const { effort } = await client.getTurn(chat.id, stream.turnId);
  return { effort, wire: upstream.requests[asked]?.body.reasoning_effort };
}

const PAIRS = VOICES.flatMap(([strong, level], index) =>
  VOICES.slice(index + 1).map(([weak]) => [strong, weak, level] as const),
);

test.each(PAIRS)('[EFF-1] [EFF-3] prefers %s to %s', async (strong, weak, level) => {
  const { effort, wire } = await effortOf([strong, weak]);
  expect(effort).toEqual({ value: level, source: strong, raised: false });
  expect(wire).toBe(ON_WIRE[level]);
});

test('[EFF-1] [EFF-3] prefers the turn if all sources set a level', async () => {
  expect((await effortOf(VOICES.map(([source]) => source))).effort).toMatchObject({
    value: 'mid',
    source: 'turn',
  });
});

/** Returns the source of a turn's level. */
async function sourceOf(body: Record<string, unknown>): Promise<EffortSource> {
  const { client } = kernel;
  const chat = await client.createChat();
  const stream = await client.begin(chat.id, body);
  await stream.all();
  return (await client.getTurn(chat.id, stream.turnId)).effort.source;
}

describe('ultrathink', () => {
  test.each([
    'ultrathink',
    'ULTRATHINK!',
    'Now, Ultrathink: why?',
    'a\nultrathink\nb',
    '(ultrathink)',
  ])('[EFF-1] takes effect in %j', async text => expect(await sourceOf({ text })).toBe('ultrathink'));

  test.each([
    'ultrathinking',
    'superultrathink',
    'ultra think',
    'ultrathink_it',
    'ultrathink2',
  ])('[EFF-1] is a different word in %j', async text => expect(await sourceOf({ text })).toBe('global'));

  test('[EFF-1] takes effect only in messages of the master', async () => {
    expect(await sourceOf({ text: 'ultrathink', sender: 'Ann' })).toBe('global');
    expect(await sourceOf({ text: 'Hi.', context: 'ultrathink' })).toBe('global');
    expect(await sourceOf({ text: 'Hi.', reply_to_text: 'ultrathink' })).toBe('global');
    expect(await sourceOf({ text: 'ultrathink' })).toBe('ultrathink');
  });

  test('[EFF-1] takes effect only in its own turn', async () => {
    const { client } = kernel;
    const chat = await client.createChat();
    await client.say(chat.id, 'ultrathink');
    const stream = await client.begin(chat.id, { text: 'And now?' });
    await stream.all();
    const { effort } = await client.getTurn(chat.id, stream.turnId);
    expect(effort).toMatchObject({ value: 'off', source: 'global' });
  });
});

test.each([
  ['extremes', 'off', 'low'],
  ['extremes', 'mid', 'low'],
  ['extremes', 'high', 'high'],
  ['modest', 'low', 'off'],
  ['modest', 'high', 'mid'],
  ['simple', 'high', 'off'],
] as const)('[EFF-3] of the levels of %s, %s becomes %s', async (model, effort, value) => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ model: `scripted/${model}` });
  const stream = await client.begin(chat.id, { text: 'Hi.', effort });
  await stream.all();
  expect((await client.getTurn(chat.id, stream.turnId)).effort).toEqual({
    value,
    source: 'turn',
    raised: false,
  });
  expect(upstream.requests.at(-1)?.body.reasoning_effort).toBe(ON_WIRE[value]);
});

describe('think_harder', () => {
  test('[BT-4] raises the level once when the model calls it, until the end of the turn', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    const asked = upstream.requests.length;
    upstream.next(calls('c1', 'think_harder', {}), calls('c2', 'think_harder', {}), says('Done.'));
    const stream = await client.begin(chat.id, { text: 'Hi.', effort: 'low' });
    const results = eventsOf(await stream.all(), 'tool_result');
    expect(results.map(result => [result.id, result.is_error])).toEqual([
      ['c1', false],
      ['c2', true],
    ]);
    expect(results[0]?.output).toContain('high');
    const levels = upstream.requests.slice(asked).map(request => request.body.reasoning_effort);
    expect(levels).toEqual(['low', 'high', 'high']);
    expect((await client.getTurn(chat.id, stream.turnId)).effort).toEqual({
      value: 'high',
      source: 'turn',
      raised: true,
    });
    await client.say(chat.id, 'Hi.', { effort: 'low' });
    expect(upstream.requests.at(-1)?.body.reasoning_effort).toBe('low');
    expect((await client.getChat(chat.id)).effort).toBeNull();
  });

  test('[EFF-2] raises to the highest level of the model', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat({ model: 'scripted/modest' });
    upstream.next(calls('c1', 'think_harder', {}), says('Done.'));
    await client.say(chat.id, 'Hi.', { effort: 'off' });
    expect(upstream.requests.at(-1)?.body.reasoning_effort).toBe('medium');
  });

  test('[EFF-2] never lowers the level', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(calls('c1', 'think_harder', {}), says('Done.'));
    await client.say(chat.id, 'Hi.', { effort: 'high' });
    expect(upstream.requests.at(-1)?.body.reasoning_effort).toBe('high');
  });
});
