/**
 * Tests that the client of the API document rejects violations and accepts additions. Otherwise its checks prove
 * nothing.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkedFetch } from './checked-fetch.ts';
import { ApiClient } from './client.ts';
import { holdAnswer } from './document-client/answers.ts';
import { EXCEPTIONS } from './document-client/exceptions.ts';
import { DocumentReader, type Opened } from './document-client/stream.ts';
import { TestClient } from './kernel-client.ts';
import { sharedKernel } from './shared-kernel.ts';
import { calls, says } from './story.ts';

const TURN = '01890000-0000-7000-8000-000000000001';
const MESSAGE = '01890000-0000-7000-8000-000000000002';
const FILE = '9d3c2f4e-0000-4000-8000-000000000003';
const PATH = `/v1/chats/${TURN}/messages`;
const POSTED = { method: 'POST', path: PATH, body: { client_ops: true }, resumes: false, inFleet: false };
const WATCHED = {
  method: 'GET',
  path: `/v1/chats/${TURN}/live`,
  body: undefined,
  resumes: false,
  inFleet: false,
};

const item = (fields: object = {}) => ({
  id: `${TURN}:0`,
  kind: 'agent_message',
  status: 'running',
  turn_id: TURN,
  ...fields,
});
const started = (fields?: object) => ({ type: 'item_started', item: item(fields) });
const completed = (fields?: object) => ({
  type: 'item_completed',
  item: item({ status: 'completed', ...fields }),
});
const usage = { type: 'usage', prompt_tokens: 3, completion_tokens: 2, reasoning_tokens: 1 };
const done = { type: 'done' };
const text = { type: 'text_delta', text: 'Hi.' };
const op = { type: 'client_op', id: 'a', action: 'shell', command: 'ls', decisions: ['allow', 'deny'] };
const resolved = { type: 'request_resolved', id: 'a', kind: 'op', reason: 'answered' };
const asking = {
  type: 'tool_call',
  id: 'q',
  name: 'ask_questions',
  input: { questions: [{}, {}], decisions: { discuss: 'Discuss', answer_in_text: 'In text' } },
};
const answered = { type: 'request_resolved', id: 'q', kind: 'question', reason: 'answered', question: 0 };
const callItem = { kind: 'tool_call', call_id: 'q' };
const image = { type: 'image', id: FILE, media_type: 'image/png', url: `/images/${FILE}` };

/** Reads a stream that the service closes after its last event. */
function read(events: readonly object[], opened: Partial<Opened> = {}): void {
  const reader = new DocumentReader({ ...POSTED, ...opened });
  for (const event of events) reader.see(event);
  reader.end();
}

describe('a stream is accepted with', () => {
  test.each<[string, object[], Partial<Opened>?]>([
    ['a future event, also after done', [{ type: 'noise' }, text, done, { type: 'noise' }]],
    ['a future field', [{ ...usage, cost: 1 }, started({ mood: 'glad' }), completed(), done]],
    ['a future kind of item', [started({ kind: 'poll' }), completed({ kind: 'poll' }), done]],
    ['a future action', [{ ...op, action: 'dance' }, resolved, done]],
    ['a future decision', [{ ...op, decisions: ['allow_prefix'] }, resolved, done]],
    [
      'a future delta',
      [started(), { type: 'item_delta', item_id: `${TURN}:0`, delta: { type: 'mood' } }, completed()],
    ],
    ['a request resolved after done', [op, done, resolved]],
    ['a resolution of a request that was sent as a future event', [{ ...resolved, id: 'other' }, done]],
    ['a replay and its live tail', [{ ...text, replayed: true }, text, done], WATCHED],
    [
      'a second turn with follow',
      [text, done, text, done],
      { ...WATCHED, path: `${WATCHED.path}?follow=true` },
    ],
    [
      'a question of the kernel without decisions',
      [{ ...asking, input: { questions: [{}], decisions: {} } }, answered],
    ],
    [
      'the exception for a turn that was taken over',
      [
        started(),
        { ...started({ kind: 'plan', tasks: [] }), replayed: true },
        { ...completed({ kind: 'plan', tasks: [] }), replayed: true },
        done,
      ],
      { inFleet: true },
    ],
    [
      'a request for consent, as a future event',
      [{ ...op, type: 'consent_request' }, resolved, done],
      { body: {} },
    ],
  ])('%s', (_, events, opened) => {
    expect(() => read(events, opened)).not.toThrow();
  });
});

describe('a stream is rejected with', () => {
  test.each<[string, object[], Partial<Opened>?]>([
    ['an event without a type', [{ text: 'Hi.' }]],
    ['two done', [done, done]],
    ['an event after done other than a resolution', [done, text]],
    ['an item running after done', [started(), done]],
    ['an item that starts twice', [started(), started()]],
    ['an item that ends twice', [started(), completed(), completed()]],
    ['an item that ends without a start', [completed()]],
    ['an item that starts as completed', [started({ status: 'completed' })]],
    ['an item that ends as running', [started(), completed({ status: 'running' })]],
    ['an unknown status', [started(), completed({ status: 'paused' })]],
    [
      'a delta of a closed item',
      [started(), completed(), { type: 'item_delta', item_id: `${TURN}:0`, delta: { type: 'text' } }],
    ],
    ['a live id that is not {turn_id}:{n}', [started({ id: `${MESSAGE}:0` })]],
    ['a live id without an ordinal', [started({ id: `${TURN}:a` })]],
    ['an item of another turn', [started(), started({ id: `${MESSAGE}:0`, turn_id: MESSAGE })]],
    ['the message of a user', [started({ kind: 'user_message' })]],
    ['a machine note without a note', [started({ kind: 'machine_note' })]],
    ['an image item without its id', [started({ kind: 'image', url: '/images/x' })]],
    ['a call only in the original events', [asking, done]],
    ['a call only in the item events', [started(callItem), completed(callItem), done]],
    ['more reasoning than completion', [{ ...usage, reasoning_tokens: 3 }]],
    ['usage of a sub-agent', [{ ...usage, agent: 'scout' }]],
    ['tokens as text', [{ ...usage, prompt_tokens: 'many' }]],
    ['a call whose input is text', [{ ...asking, input: '{}' }]],
    ['a plan that is not a list', [{ type: 'plan', tasks: {} }]],
    ['a missing number of freed characters', [{ type: 'turn_squeezed' }]],
    ['an image at another address', [{ ...image, url: '/images/other' }]],
    ['an image id that is not a uuid', [{ ...image, id: 'one', url: '/images/one' }]],
    ['an operation with two ids', [{ ...op, op_id: 'b' }]],
    ['an operation sent twice', [op, op]],
    ['an operation that lacks a parameter', [{ ...op, command: undefined }]],
    ['an operation that is never resolved', [op, done]],
    ['an operation for a client without hands', [op, resolved, done], { body: {} }],
    ['an operation that another party executes', [{ ...op, hands: null }, resolved, done], { body: {} }],
    [
      'list_up for a client without project_docs',
      [{ ...op, action: 'list_up', path: '/', names: [], decisions: undefined }],
    ],
    [
      'list_up with decisions',
      [{ ...op, action: 'list_up', path: '/', names: [] }],
      { body: { client_ops: true, project_docs: true } },
    ],
    ['a request that is resolved twice', [op, resolved, resolved]],
    ['an unknown reason', [op, { ...resolved, reason: 'bored' }]],
    ['an unknown kind of request', [op, { ...resolved, kind: 'consent' }]],
    ['a question without a call', [answered]],
    ['a question out of range', [asking, { ...answered, question: 2 }]],
    ['a question that is never resolved', [asking, answered, started(callItem), completed(callItem), done]],
    ['questions without their decisions', [{ ...asking, input: { questions: [{}] } }, answered]],
    [
      'only one of the two decisions',
      [{ ...asking, input: { questions: [{}], decisions: { discuss: 'Discuss' } } }, answered],
    ],
    ['an extra call without a tool_call', [{ type: 'extra_tool_call', id: 'x', name: 'a', input: {} }]],
    ['sleeping in the middle of a turn', [text, { type: 'sleeping' }]],
    ['a type that was muted', [text], { body: { mute: ['text_delta'] } }],
    [
      'a type that was muted in the query',
      [text],
      { ...WATCHED, path: `${WATCHED.path}?mute=usage,text_delta` },
    ],
    ['a replayed event in the stream of the turn itself', [{ ...text, replayed: true }]],
    ['a value of replayed other than true', [{ ...text, replayed: false }], WATCHED],
    ['a replay after the live tail', [text, { ...text, replayed: true }], WATCHED],
  ])('%s', (_, events, opened) => {
    expect(() => read(events, opened)).toThrow('against the API document');
  });
});

const chat = { id: TURN, workdir: null, workdir_on: 'client', effort: null };
const said = { id: MESSAGE, role: 'user', content: [{ type: 'text', text: 'Hi.' }], master: true };
const row = { video_id: 'v', position_s: 50, duration_s: 100 };
const history = { ...item({ status: 'completed' }), id: `${MESSAGE}:0` };
const attached = (part: object) => ({ ...history, kind: 'user_message', attachments: [part] });

describe('a response', () => {
  test.each<[string, string, object, object]>([
    ['GET', `/v1/chats/${TURN}`, { ...chat, mood: 'glad' }, { ...chat, workdir_on: 'moon' }],
    ['POST', '/v1/chats', chat, { ...chat, id: 'one' }],
    ['POST', `/v1/chats/${TURN}/fork`, { ...chat, forked_from: TURN, forked_at_message: MESSAGE }, chat],
    ['PUT', `/v1/chats/${TURN}/effort`, { effort: 'mid' }, { effort: 'medium' }],
    ['GET', PATH, { messages: [said] }, { messages: [{ ...said, master: false }] }],
    [
      'GET',
      `/v1/chats/${TURN}/items?limit=5`,
      { items: [history] },
      { items: [item({ status: 'completed' })] },
    ],
    [
      'GET',
      `/v1/chats/${TURN}/items`,
      { items: [{ ...history, kind: 'poll' }] },
      { items: [{ ...history, kind: 'client_op' }] },
    ],
    ['GET', `/v1/chats/${TURN}/items`, { items: [] }, { items: [history, history] }],
    [
      'GET',
      `/v1/chats/${TURN}/items`,
      { items: [attached({ kind: 'image', data: 'aaaa' })] },
      { items: [attached({ kind: 'image' })] },
    ],
    [
      'GET',
      `/v1/chats/${TURN}/items`,
      { items: [attached({ kind: 'file', name: 'a', size: 1, url: '/files/1' })] },
      { items: [attached({ kind: 'file', name: 'a', size: 1, url: '/files/1', data: 'aaaa' })] },
    ],
    ['GET', `/v1/chats/${TURN}/plan`, { tasks: [] }, { tasks: null }],
    ['GET', `/v1/chats/${TURN}/spend`, { prefix_tokens: 0 }, {}],
    [
      'POST',
      '/v1/files',
      { id: FILE, name: 'a', media_type: 'b', size: 1 },
      { id: FILE, name: 'a', media_type: 'b', size: '1' },
    ],
    ['PUT', '/v1/video/history/v', row, { ...row, position_s: 99 }],
    ['GET', '/v1/video/history', { rows: [row] }, { rows: Array.from({ length: 201 }, () => row) }],
    ['POST', '/v1/ops/read_bytes', { total: 3, data: 'YWJj' }, { total: 3, data: '{}' }],
  ])('of %s %s is accepted if valid, and rejected if not', (method, path, right, wrong) => {
    expect(() => holdAnswer(method, path, 200, right)).not.toThrow();
    expect(() => holdAnswer(method, path, 200, wrong)).toThrow('against the API document');
  });

  test('of an unknown path and with an error status is not checked', () => {
    expect(() => holdAnswer('GET', '/v1/moods', 200, [])).not.toThrow();
    expect(() => holdAnswer('GET', `/v1/chats/${TURN}`, 404, {})).not.toThrow();
  });
});

describe('test clients check responses', () => {
  const kernel = sharedKernel();

  /** Starts a service that documents itself as the kernel does and sends these events. */
  async function served(events: readonly object[]): Promise<string> {
    const document = await kernel.api.document();
    const server = createServer((request, response) => {
      if (request.url === '/v1/openapi.json') return void response.end(JSON.stringify(document.json));
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'x-turn-id': TURN,
        'x-message-id': MESSAGE,
      });
      response.end(events.map((event, index) => `data: ${JSON.stringify(event)}\nid: ${index}\n\n`).join(''));
    }).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const wrong = [{ type: 'client_op', id: 'a', op_id: 'b', action: 'shell', command: 'ls' }];

  test('in the test API client', async () => {
    const stream = await new ApiClient(await served(wrong)).turn(TURN, { text: 'Go.', client_ops: true });
    await expect(stream.closed()).rejects.toThrow('two ids');
  });

  test('in the public client', async () => {
    const failures: string[] = [];
    const fetch = checkedFetch(kernel.api, error => failures.push(error.message));
    const client = new TestClient({ url: await served(wrong), fetch });
    await expect(client.say(TURN, 'Go.')).rejects.toThrow();
    expect(failures.join('\n')).toContain('two ids');
  });

  test('and accept a turn of the kernel with a call and its result', async () => {
    kernel.upstream.next(calls('c', 'plan', { tasks: [] }), says('Done.'));
    const made = await kernel.api.newChat();
    await kernel.api.say(made.id, 'Go.');
    expect(await kernel.api.items(made.id)).toHaveLength(3);
  });
});

test('every exception has a reason', () => {
  expect(Object.entries(EXCEPTIONS).filter(([, reason]) => reason.length < 40)).toEqual([]);
});
