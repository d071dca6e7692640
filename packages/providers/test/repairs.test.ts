/** Tests that a part of a request that its provider refuses is left out of this request and of later ones. */
import type { RequestRepair } from '@chat-kernel/kernel';
import { describe, expect, test } from 'vitest';
import { refusedPart } from '../src/repair/refused-part.ts';
import { testClock } from './clock.ts';
import {
  assistant,
  openWire,
  request,
  result,
  textOf,
  trip,
  user,
  WIRE_KINDS,
  type WireKind,
} from './wires.ts';

const refusal = (message: string, more: object = {}) => ({
  status: 400,
  error: { body: JSON.stringify({ error: { message, type: 'invalid_request_error', ...more } }) },
});
const OK = { steps: [{ text: 'fine' }] };

/** How each API names the tool at position 1, `shell`. */
const TOOL_REFUSALS: Record<WireKind, string> = {
  'openai-compatible': "Invalid 'tools[1].function.parameters': not supported",
  openai: "Invalid schema for function 'shell': array schema missing items",
  anthropic: 'tools.1.custom.input_schema: JSON schema is invalid',
  google:
    '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[path].items: missing field',
};
const toolsOf = (body: string): string[] =>
  [...body.matchAll(/"name":"(read_file|shell)"/g)].map(([, name]) => name!);

describe.each(WIRE_KINDS)('%s', kind => {
  test('[WIRE-8] leaves out a refused tool, says so once, and keeps it out in every chat', async () => {
    const { upstream, model } = await openWire(kind, { clock: testClock() });
    upstream.next(refusal(TOOL_REFUSALS[kind]), OK, OK);
    const repairs: RequestRepair[] = [];
    const onRepair = (repair: RequestRepair) => void repairs.push(repair);
    expect(textOf((await trip(model, request({ onRepair }))).events)).toBe('fine');
    expect(textOf((await trip(model, request({ onRepair, cache_key: 'chat-2' }))).events)).toBe('fine');
    expect(upstream.requests.map(({ body }) => toolsOf(JSON.stringify(body)))).toEqual([
      ['read_file', 'shell'],
      ['read_file'],
      ['read_file'],
    ]);
    const why = `p answered 400: ${TOOL_REFUSALS[kind]}`;
    expect(repairs).toEqual([{ tool: 'shell', why }]);
    expect(model.omittedTools?.()).toEqual([{ tools: ['shell'], why }]);
  });

  test('[WIRE-8] leaves out the content of a refused message, and keeps it out in its chat only', async () => {
    const lists = {
      'openai-compatible': 'messages[1]',
      openai: 'input[1]',
      anthropic: 'messages.0',
      google: 'contents[0]',
    };
    const { upstream, model } = await openWire(kind, { clock: testClock() });
    upstream.next(refusal(`Invalid value at ${lists[kind]}: refused`), OK, OK, OK);
    const repairs: RequestRepair[] = [];
    const asked = request({ messages: [user('poison')], onRepair: repair => void repairs.push(repair) });
    expect(textOf((await trip(model, asked)).events)).toBe('fine');
    const later = { ...asked, messages: [...asked.messages, assistant('fine'), user('more')] };
    expect(textOf((await trip(model, later)).events)).toBe('fine');
    await trip(model, { ...asked, cache_key: 'chat-2' });
    const bodies = upstream.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.map(body => body.includes('poison'))).toEqual([true, false, false, true]);
    expect(bodies[2]).toContain('more');
    expect(repairs.map(({ tool }) => tool)).toEqual([null]);
  });

  test('keeps the pair of a call and its result, without their contents', async () => {
    const lists = {
      'openai-compatible': 'messages',
      openai: 'input',
      anthropic: 'messages',
      google: 'contents',
    };
    const { upstream, model } = await openWire(kind, { clock: testClock() });
    const first = kind === 'openai-compatible' || kind === 'openai' ? 2 : 1;
    upstream.next(
      refusal(`${lists[kind]}.${first}: refused`),
      refusal(`${lists[kind]}.${first + 1}: refused`),
      OK,
    );
    const call = { type: 'tool_use', id: 'call_1', name: 'shell', input: { path: 'poison' } } as const;
    const messages = [user('Go.'), assistant(call), user(result('call_1', 'poison')), user('more')];
    // The scripted provider checks that the pair is complete.
    expect(textOf((await trip(model, request({ messages }))).events)).toBe('fine');
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('poison');
  });
});

test('gives up if the refusal names the same part again', async () => {
  const { upstream, model } = await openWire('anthropic', { clock: testClock() });
  upstream.next(refusal('tools.9.name: too long'), OK);
  expect((await trip(model)).error).toMatchObject({ code: 'upstream_error' });
  upstream.forget();
  upstream.next(refusal('messages.0: refused'), refusal('messages.0: refused'), OK);
  const { error } = await trip(model);
  expect(error).toMatchObject({ message: 'p answered 400: messages.0: refused' });
});

test('leaves nothing out after a failure of the server', async () => {
  const { upstream, model } = await openWire('anthropic', { clock: testClock() });
  upstream.next({ ...refusal('tools.1: overloaded'), status: 500 }, OK);
  expect((await trip(model)).error).toBeUndefined();
  expect(upstream.requests.at(-1)?.body.tools).toHaveLength(2);
});

test('leaves out several tools of one request', async () => {
  const { upstream, model } = await openWire('anthropic', { clock: testClock() });
  upstream.next(refusal('tools.0.name: bad'), refusal('tools.0.name: bad'), OK);
  expect((await trip(model)).error).toBeUndefined();
  expect(upstream.requests.at(-1)?.body).not.toHaveProperty('tools');
});

test.each([
  ['a number in brackets', "Invalid 'tools[3].function.name': too long", { type: 'tool', index: 3 }],
  ['a number after a dot', 'tools.3.custom.name: too long', { type: 'tool', index: 3 }],
  ['the inner number of Google', 'tools[0].function_declarations[3].name: bad', { type: 'tool', index: 3 }],
  ['the name', "Invalid schema for function 'shell': In context=()", { type: 'tool', name: 'shell' }],
  ['a name in backticks', 'The tool `shell` is not allowed', { type: 'tool', name: 'shell' }],
  ['an unknown name', "Invalid schema for function 'other'", undefined],
  ['a name of a tool without mention of tools', "The value 'shell' is wrong", undefined],
  ['a message', 'messages.5: empty', { type: 'message', list: 'messages', index: 5 }],
  [
    'a part of a message',
    'messages.5.content.2.image.source: too large',
    { type: 'message', list: 'messages', index: 5, part: { list: 'content', index: 2 } },
  ],
  [
    'a part in brackets',
    "Invalid 'messages[5].content[2].image_url'",
    { type: 'message', list: 'messages', index: 5, part: { list: 'content', index: 2 } },
  ],
  [
    'a part of Google',
    'GenerateContentRequest.contents[5].parts[2].text: bad',
    { type: 'message', list: 'contents', index: 5, part: { list: 'parts', index: 2 } },
  ],
  [
    'a call in a message, not the tool',
    "Invalid 'messages[5].tool_calls[0].function.name'",
    { type: 'message', list: 'messages', index: 5, part: { list: 'tool_calls', index: 0 } },
  ],
  ['an item of Responses', "Invalid 'input[5].name': too long", { type: 'message', list: 'input', index: 5 }],
  [
    'the path of pydantic',
    '{"detail":[{"loc":["body","messages",5,"content"],"msg":"bad"}]}',
    { type: 'message', list: 'messages', index: 5 },
  ],
  ['nothing', 'The request is not valid.', undefined],
])('finds %s', (_, sentence, part) => {
  expect(refusedPart({ sentence, body: '' }, ['read_file', 'shell'])).toEqual(part);
});
