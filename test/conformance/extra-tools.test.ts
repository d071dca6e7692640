/** Tests tools that a client brings for one turn: offered, called, answered, expired. */
import type { ExtraTool } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { foldItems } from '../harness/items.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, shape, stuck, textOf } from '../harness/story.ts';

const clock = new ManualClock();
const kernel = sharedKernel({ clock, settings: { requests: { extra_tool_timeout_secs: 20 } } });

const SCAN: ExtraTool = {
  name: 'scan',
  description: 'Scans a page.',
  input_schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { page: { type: 'integer', minimum: 1 } },
    required: ['page'],
    additionalProperties: false,
  },
  timeout_secs: 60,
};
const PING: ExtraTool = { name: 'a_ping', description: 'Pings.' };
const PAGE = { page: 1 };

/** Returns the result of the last call as the model read it. */
const readResult = () => kernel.upstream.requests.at(-1)?.body.messages.at(-1)?.content;

/** A turn whose model calls `scan` as `id`, up to the request to the client. */
async function asked(id: string, tool: ExtraTool = SCAN, more: object = {}) {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  // Once the model has the result, the upstream's default reply is `ok`.
  upstream.next(calls(id, tool.name, PAGE));
  const stream = await client.begin(chat.id, { text: 'Go.', extra_tools: [tool], ...more });
  const call = await stream.until('extra_tool_call');
  const answer = (body: object, path = chat.id) => api.post(`/v1/chats/${path}/ops/result`, { id, ...body });
  return { chat, stream, call, answer };
}

test('[TURN-6] offers an extra tool to the model after the others, for this turn only', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const offered = () =>
    upstream.requests.at(-1)?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  upstream.next(says('One.'), says('Two.'));
  await client.say(chat.id, 'One.', { extra_tools: [SCAN, PING] });
  const with_extra = offered();
  expect(with_extra.slice(-2)).toEqual(['scan', 'a_ping']);
  expect(upstream.requests.at(-1)?.body.tools.at(-1).function).toMatchObject({
    description: 'Pings.',
    parameters: { type: 'object', properties: {} },
  });
  await client.say(chat.id, 'Two.');
  expect(offered()).toEqual(with_extra.slice(0, -2));
  // An extra tool is offered regardless of the other tools of the turn.
  await client.say(chat.id, 'Three.', { extra_tools: [SCAN], tools: ['plan'] });
  expect(offered()).toEqual(['plan', 'scan']);
});

test('[XT-2] sends a call to the client under its own id, and accepts the answer under it', async () => {
  const { client } = kernel;
  const { chat, stream, call, answer } = await asked('x2', SCAN, { client_id: 'phone' });
  expect(call).toEqual({ type: 'extra_tool_call', id: 'x2', name: 'scan', input: PAGE, client_id: 'phone' });
  const resolution = { id: 'x2', kind: 'op', reason: 'answered' };
  expect(await answer({ result: 'A letter.' })).toMatchObject({
    status: 200,
    body: { ok: true, resolution },
  });
  const events = await stream.all();
  expect(eventsOf(events, 'request_resolved')).toEqual([{ type: 'request_resolved', ...resolution }]);
  expect(shape(events.filter(({ type }) => /tool|request/.test(type)))).toEqual([
    'tool_call',
    'extra_tool_call',
    'request_resolved',
    'tool_result',
  ]);
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ id: 'x2', output: 'A letter.', is_error: false }]);
  expect(readResult()).toBe('A letter.');
  expect(foldItems(events).find(item => item.kind === 'tool_call')).toMatchObject({ status: 'completed' });
  expect((await client.items(chat.id)).filter(item => item.kind === 'tool_call')).toMatchObject([
    { call_id: 'x2', name: 'scan', input: PAGE, output: 'A letter.' },
  ]);
});

test('[XT-3] renders sections in the kernel, and prefers them to a result', async () => {
  const { stream, answer } = await asked('x3');
  const blocks = [
    { title: 'page 1', content: 'Dear Ada' },
    { title: 'page 2', content: '' },
    { title: 'page 3', content: 'Yours, Bo' },
  ];
  await answer({ blocks, result: 'not this' });
  await stream.all();
  expect(readResult()).toBe('== page 1\nDear Ada\n\n== page 2\n\n== page 3\nYours, Bo');
});

test('truncates output that is too long for the model, and says so', async () => {
  const { stream, answer } = await asked('long');
  expect((await answer({ result: 'x'.repeat(5_000_000) })).status).toBe(200);
  const [result] = eventsOf(await stream.all(), 'tool_result');
  expect(result?.output).toMatch(/^x{200000}\n\[4800000 more characters: request less\]$/);
});

describe('ends_turn', () => {
  const ending = { ...SCAN, ends_turn: true };

  test('[XT-4] ends the turn with its parallel calls after a successful call', async () => {
    const { api, client, upstream } = kernel;
    const chat = await client.createChat();
    const call = (id: string) => ({ call: { id, name: id === 'e1' ? 'scan' : 'other', input: PAGE } });
    upstream.next({ steps: [call('e1'), call('e2')] });
    const extra_tools = [ending, { ...SCAN, name: 'other' }];
    const stream = await client.begin(chat.id, { text: 'Go.', extra_tools });
    await stream.until(event => event.type === 'extra_tool_call' && event.id === 'e2');
    await client.answerRequest(chat.id, { id: 'e1', result: 'Done.' });
    const events = await stream.all();
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed', stop_reason: 'ends_turn' });
    expect(eventsOf(events, 'request_resolved').map(({ id, reason }) => [id, reason])).toEqual([
      ['e1', 'answered'],
      ['e2', 'turn_ended'],
    ]);
    expect(eventsOf(events, 'tool_result').map(({ id, is_error }) => [id, is_error])).toEqual([
      ['e1', false],
      ['e2', true],
    ]);
    const late = await api.post(`/v1/chats/${chat.id}/ops/result`, { id: 'e2', result: 'Me too.' });
    expect(late).toMatchObject({ status: 409, body: { resolution: { reason: 'turn_ended' } } });
  });

  test('[XT-4] continues the turn after a failed call', async () => {
    const { stream, answer } = await asked('e3', ending);
    await answer({ error: 'No.' });
    expect(textOf(await stream.all())).toBe('ok');
  });
});

describe('timeout', () => {
  test('[XT-5] expires after the time that the tool declares, and gives the model an error', async () => {
    const { stream, answer } = await asked('t1', { ...SCAN, timeout_secs: 40 });
    clock.advance(39_999);
    expect((await kernel.client.listRequests()).requests).toMatchObject([{ id: 't1' }]);
    clock.advance(1);
    const events = await stream.all();
    expect(eventsOf(events, 'request_resolved')).toMatchObject([{ id: 't1', reason: 'expired' }]);
    expect(eventsOf(events, 'tool_result')).toMatchObject([
      { is_error: true, output: 'No answer came from the client in time.' },
    ]);
    expect(foldItems(events).find(item => item.kind === 'tool_call')).toMatchObject({ status: 'failed' });
    expect(textOf(events)).toBe('ok');
    expect((await answer({ result: 'late' })).body).toMatchObject({
      code: 'already_resolved',
      resolution: { id: 't1', kind: 'op', reason: 'expired' },
    });
  });

  test('[OP-10] is that of the settings if the tool declares none', async () => {
    const { timeout_secs: _, ...timeless } = SCAN;
    const { stream } = await asked('t2', timeless);
    clock.advance(20_000);
    expect(eventsOf(await stream.all(), 'request_resolved')).toMatchObject([{ reason: 'expired' }]);
  });
});

test('[XT-6] rejects a duplicate name and the name of an existing tool', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const refused = (...extra_tools: unknown[]) =>
    api.post(`/v1/chats/${chat.id}/messages`, { text: 'Go.', extra_tools });
  expect(await refused(SCAN, { ...SCAN, name: 'read_file' })).toMatchObject({
    status: 400,
    body: { code: 'tool_name_taken', errors: [{ pointer: '/extra_tools/1/name' }] },
  });
  // Even if this turn would not offer that tool.
  expect((await refused({ ...SCAN, name: 'ask_questions' })).body.code).toBe('tool_name_taken');
  expect(await refused(SCAN, SCAN)).toMatchObject({
    status: 400,
    body: { code: 'invalid_value', errors: [{ pointer: '/extra_tools/1/name' }] },
  });
  for (const input_schema of [{ type: 'string' }, { properties: 3 }, { $ref: '#/nowhere' }]) {
    expect(await refused({ ...SCAN, input_schema })).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/extra_tools/0/input_schema' }] },
    });
  }
  expect((await client.listMessages(chat.id)).messages).toEqual([]);
});

test('[XT-7] replays a call with its flag, and leaves an open call open in the replay', async () => {
  const { client } = kernel;
  const { chat, stream, answer } = await asked('x7');
  const live = await client.watch(chat.id);
  expect(await live.until('extra_tool_call')).toMatchObject({ id: 'x7', replayed: true });
  expect(live.events.some(({ type }) => type === 'request_resolved')).toBe(false);
  await answer({ result: 'ok' });
  const resolved = await live.until('request_resolved');
  expect(resolved).not.toHaveProperty('replayed');
  await stream.all();
});

test('[XT-1] keeps invalid input in the kernel, and gives the model the reason', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('bad', 'scan', { page: 0, colour: 'red' }), says('Sorry.'));
  const events = await client.say(chat.id, 'Go.', { extra_tools: [SCAN] });
  expect(eventsOf(events, 'extra_tool_call')).toEqual([]);
  const [result] = eventsOf(events, 'tool_result');
  expect(result?.is_error).toBe(true);
  expect(result?.output).toContain('page: must be >= 1');
  expect(result?.output).toContain('colour');
});

describe('answers', () => {
  test('[OP-9] go to the chat in the path if two chats have a call with the same id', async () => {
    const { client } = kernel;
    const one = await asked('same');
    const two = await asked('same');
    const nobody = '01890000-0000-7000-8000-000000000000';
    expect((await one.answer({ result: '?' }, nobody)).body.code).toBe('unknown_request');
    await two.answer({ result: 'two' });
    expect((await two.answer({ result: 'two' })).status).toBe(409);
    await one.answer({ result: 'one' });
    expect(eventsOf(await one.stream.all(), 'tool_result')[0]?.output).toBe('one');
    expect(eventsOf(await two.stream.all(), 'tool_result')[0]?.output).toBe('two');
    await client.listRequests();
  });

  test('[OP-9] return 404 for an unknown call, and 422 for an empty body', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat();
    const post = (path: string, body: object, place = chat.id) =>
      api.post(`/v1/chats/${place}/ops/${path}`, body);
    expect((await post('result', { id: 'nothing', result: '' })).body.code).toBe('unknown_request');
    expect((await post('progress', { id: 'nothing', output: '' })).body.code).toBe('unknown_request');
    expect((await post('result', { id: 'x', result: '' }, 'no-id')).body.code).toBe('not_found');
    expect((await post('result', { id: 'x' })).body.code).toBe('schema_mismatch');
    expect((await post('result', { result: 'x' })).body.code).toBe('schema_mismatch');
    expect((await post('progress', { output: 'x' })).body.code).toBe('schema_mismatch');
  });
});

test('[OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it', async () => {
  const { api, client } = kernel;
  const { chat, stream, answer } = await asked('p1');
  const post = (output: string) => api.post(`/v1/chats/${chat.id}/ops/progress`, { id: 'p1', output });
  expect(await post('first')).toMatchObject({ status: 200, body: { ok: true } });
  await post(`x${'€'.repeat(5000)}`);
  await post('key sk-abcdefghijklmnopqrstuvwx and PASSWORD=hunter22');
  await answer({ result: 'done' });
  const events = await stream.all();
  const shown = eventsOf(events, 'tool_progress');
  expect(shown.map(({ id }) => id)).toEqual(['p1', 'p1', 'p1']);
  expect(shown[0]?.output).toBe('first');
  // 8192 bytes hold 2730 characters of three bytes, and no partial one.
  expect(shown[1]?.output).toBe('€'.repeat(2730));
  expect(shown[2]?.output).toBe('key *** and PASSWORD=***');
  expect(eventsOf(events, 'item_delta').filter(({ delta }) => delta.type === 'progress')).toHaveLength(3);
  expect(JSON.stringify(await client.items(chat.id))).not.toContain('first');
  expect(await post('late')).toMatchObject({ status: 409, body: { code: 'already_resolved' } });
});

test('lists all open requests of all chats', async () => {
  const { client } = kernel;
  const { chat, stream, call, answer } = await asked('l1');
  const { requests } = await client.listRequests();
  expect(requests).toEqual([
    {
      id: 'l1',
      kind: 'op',
      chat_id: chat.id,
      turn_id: stream.turnId,
      opened_at: expect.any(String),
      expires_at: expect.any(String),
      event: call,
    },
  ]);
  expect(Date.parse(requests[0]!.expires_at) - Date.parse(requests[0]!.opened_at)).toBe(60_000);
  await answer({ result: '' });
  await stream.all();
  expect((await client.listRequests()).requests).toEqual([]);
});

test('offers the extra tools of a queued turn when it runs', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'Wait.' }), calls('q1', 'scan', PAGE));
  const first = await client.begin(chat.id, { text: 'One.' });
  await first.until('text_delta');
  const second = await client.begin(chat.id, { text: 'Two.', extra_tools: [SCAN] });
  await client.cancelTurn(chat.id);
  await second.until('extra_tool_call');
  await client.answerRequest(chat.id, { id: 'q1', result: 'ok' });
  expect(textOf(await second.all())).toBe('ok');
});
