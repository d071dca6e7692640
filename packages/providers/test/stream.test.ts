/** Tests the responses of the provider APIs as events of the kernel. */
import { describe, expect, test } from 'vitest';
import { testClock } from './clock.ts';
import { messageOf, openWire, request, textOf, trip, WIRE_KINDS, type WireStand } from './wires.ts';

let stand: WireStand;

describe.each(WIRE_KINDS)('%s', kind => {
  test('streams interleaved thinking, text and calls completely and in order', async () => {
    stand = await openWire(kind);
    stand.upstream.next({
      steps: [
        { thinking: ['Let me', ' see.'] },
        { text: ['Hel', 'lo'] },
        {
          call: { id: 'call_1', name: 'read_file', input: { path: 'ä.md', deep: [1, { x: 2 }] }, pieces: 5 },
        },
        { call: { id: 'call_2', name: 'shell', input: {} } },
      ],
    });
    const { events, error } = await trip(stand.model, request({ effort: 'high' }));
    expect(error).toBeUndefined();
    const thinking = events.flatMap(event => (event.type === 'thinking' ? [event.text] : []));
    expect(thinking.join('')).toBe('Let me see.');
    expect(textOf(events)).toBe('Hello');
    const calls = events.filter(event => event.type === 'call');
    expect(calls.map(({ id, name, input }) => ({ id, name, input }))).toEqual([
      { id: 'call_1', name: 'read_file', input: { path: 'ä.md', deep: [1, { x: 2 }] } },
      { id: 'call_2', name: 'shell', input: {} },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tools' });
    expect(messageOf(events).content.map(block => block.type)).toEqual([
      'thinking',
      'text',
      'tool_use',
      'tool_use',
    ]);
  });

  test('[EV-4] reports cached tokens as part of the prompt and reasoning as part of the completion', async () => {
    stand = await openWire(kind);
    stand.upstream.next({
      steps: [{ text: 'x' }, { usage: { prompt: 100, completion: 50, reasoning: 20, cached: 64 } }],
    });
    const { events } = await trip(stand.model);
    expect(events.at(-1)).toEqual({
      type: 'finish',
      reason: 'stop',
      usage: { prompt_tokens: 100, completion_tokens: 50, reasoning_tokens: 20, cached_tokens: 64 },
    });
  });

  test.each([
    ['negative', -1_000_000],
    ['not a count', 1e308],
    ['a text', '1e309'],
  ])('counts nothing if the usage that the provider reports is %s', async (_, wrong) => {
    stand = await openWire(kind, { clock: testClock() });
    const count = wrong as number;
    const usage = { prompt: count, completion: count, reasoning: count, cached: count };
    stand.upstream.next({ steps: [{ text: 'x' }, { usage }] });
    const { events, error } = await trip(stand.model);
    // A package may reject the whole answer.
    expect(error ?? events.at(-1)).toMatchObject(error ? { code: 'upstream_error' } : { usage: null });
  });

  test('returns null if the provider reports no usage', async () => {
    stand = await openWire(kind);
    stand.upstream.next({ steps: [{ text: 'x' }, { usage: null }] });
    expect((await trip(stand.model)).events.at(-1)).toMatchObject({ type: 'finish', usage: null });
  });

  test.each(['length', 'content_filter'] as const)('reports the finish reason %s', async finish => {
    stand = await openWire(kind);
    stand.upstream.next({ steps: [{ text: 'x' }], finish });
    expect((await trip(stand.model)).events.at(-1)).toMatchObject({ type: 'finish', reason: finish });
  });

  test('returns only finish for an answer without text', async () => {
    stand = await openWire(kind);
    stand.upstream.next({ steps: [] });
    const { events, error } = await trip(stand.model);
    expect({ error, types: events.map(event => event.type) }).toEqual({
      error: undefined,
      types: ['finish'],
    });
  });

  if (kind !== 'google') {
    test('passes input that is not a JSON object on as invalid, with the raw text', async () => {
      stand = await openWire(kind);
      stand.upstream.next({
        steps: [
          { call: { name: 'shell', raw: '{"path": "cut o' } },
          { call: { name: 'shell', raw: '[1]' } },
          { call: { name: 'shell', raw: '' } },
        ],
      });
      const { events, error } = await trip(stand.model);
      expect(error).toBeUndefined();
      const calls = events.filter(event => event.type === 'call');
      expect(calls.map(({ input, invalid }) => ({ input, invalid }))).toEqual([
        { input: {}, invalid: '{"path": "cut o' },
        { input: {}, invalid: '[1]' },
        { input: {}, invalid: undefined },
      ]);
    });
  }
});

test('[IMG-2] returns an image that Google generates as bytes', async () => {
  stand = await openWire('google', { model: 'gemini-2.5-flash-image' });
  const bytes = Uint8Array.from([137, 80, 78, 71, 1, 2, 3]);
  stand.upstream.next({ steps: [{ text: 'Here:' }, { image: { media_type: 'image/png', bytes } }] });
  const { events } = await trip(stand.model);
  const image = events.find(event => event.type === 'image');
  expect(image).toMatchObject({ media_type: 'image/png' });
  expect(image?.type === 'image' && [...image.bytes]).toEqual([...bytes]);
  expect(stand.upstream.requests[0]?.body.generationConfig.responseModalities).toEqual(['TEXT', 'IMAGE']);
});

test('returns two texts of Anthropic as two blocks with an end between them', async () => {
  stand = await openWire('anthropic');
  stand.upstream.next({ steps: [{ text: 'one' }, { text: 'two' }] });
  const { events } = await trip(stand.model);
  expect(events.map(event => event.type)).toEqual(['text', 'end', 'text', 'end', 'finish']);
});

test.each(WIRE_KINDS)('calls a tool by the name that the kernel knows, whatever %s allows', async kind => {
  stand = await openWire(kind);
  const name = kind === 'google' ? '_1st' : '1st';
  stand.upstream.next({ steps: [{ call: { id: 'call_1', name, input: {} } }] });
  const tools = [{ name: '1st', description: 'Counts.', input_schema: { type: 'object' } }];
  const { events, error } = await trip(stand.model, request({ tools }));
  expect(error).toBeUndefined();
  expect(events.find(event => event.type === 'call')).toMatchObject({ name: '1st' });
});
