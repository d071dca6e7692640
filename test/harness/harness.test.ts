/** Tests that the harness detects violations. Otherwise the tests that use it prove nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Event } from '@chat-kernel/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { startUpstream } from '../upstream/server.ts';
import { ApiClient } from './client.ts';
import { directoryOfTest } from './directory-of-test.ts';
import type { ApiDocument } from './document.ts';
import { EventStream } from './event-stream.ts';
import { exchange } from './http.ts';
import { foldItems } from './items.ts';
import { startKernel } from './kernel.ts';
import { secretOf } from './secrets.ts';
import { sharedKernel } from './shared-kernel.ts';

let document: ApiDocument;
const kernel = sharedKernel();
beforeAll(async () => {
  document = await kernel.api.document();
});

describe('a response is rejected', () => {
  const answer = { method: 'GET', path: '/v1/chats', status: 200, contentType: 'application/json' };
  const page = { chats: [], next_before: null };

  test.each([
    ['with an undocumented status', { ...answer, status: 418, body: page }],
    ['of an undocumented type', { ...answer, contentType: 'text/html', body: page }],
    ['of an undocumented path', { ...answer, path: '/v1/other', body: page }],
    ['without a field', { ...answer, body: { chats: [] } }],
    ['with a field of another type', { ...answer, body: { ...page, next_before: 5 } }],
    ['with a field that is not documented', { ...answer, body: { ...page, internal: {} } }],
  ])('%s', (_, wrong) => {
    expect(() => document.checkAnswer({ ...answer, body: page })).not.toThrow();
    expect(() => document.checkAnswer(wrong)).toThrow();
  });
});

describe('a stream is rejected', () => {
  const served = async (text: string): Promise<EventStream> => {
    const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const stream = new EventStream(await exchange(`http://127.0.0.1:${port}`, { method: 'GET' }), document);
    await stream.closed().finally(() => server.close());
    return stream;
  };
  const event = '{"type":"text_delta","text":"Hi."}';

  test('[WIRE-1] unless each event is a line of data and its id, and no frame is empty', async () => {
    const stream = await served(`retry: 10\n: heartbeat\ndata: ${event}\nid: 1\n\n: heartbeat\n`);
    expect([stream.events, stream.ids, stream.comments]).toEqual([
      [JSON.parse(event)],
      ['1'],
      [': heartbeat', ': heartbeat'],
    ]);
    await expect(stream.all()).rejects.toThrow('done');
  });

  test.each([
    ['with a line event:', `event: text_delta\ndata: ${event}\nid: 1\n\n`],
    ['with an empty frame', `retry: 10\n\ndata: ${event}\nid: 1\n\n`],
    ['with a heartbeat as a frame', `data: ${event}\nid: 1\n\n: heartbeat\n\n`],
    ['with the id before the data', `id: 1\ndata: ${event}\n\n`],
    ['without an id', `data: ${event}\n\n`],
    ['with two lines of data', `data: ${event}\ndata: ${event}\nid: 1\n\n`],
    ['of an unknown type', 'data: {"type":"noise"}\nid: 1\n\n'],
    ['without a field', 'data: {"type":"text_delta"}\nid: 1\n\n'],
    ['with a field that is not documented', `data: ${event.replace('}', ',"internal":1}')}\nid: 1\n\n`],
    ['that ends inside an event', `data: ${event}\nid: 1`],
  ])('%s', async (_, text) => {
    await expect(served(text)).rejects.toThrow();
  });
});

describe('a secret is found', () => {
  const secret = secretOf('harness');

  test('in the body and the headers of a response, and in a stream split into pieces', async () => {
    const [start, end] = [secret.slice(0, 7), secret.slice(7)];
    const server = createServer((request, response) => {
      const type = request.url === '/v1/stream' ? 'text/event-stream' : 'application/json';
      response.setHeader('content-type', type);
      if (request.url === '/v1/header') response.setHeader('x-harness', secret);
      if (request.url === '/v1/body') return void response.end(JSON.stringify({ any: secret }));
      response.write(`: ${start}`);
      setTimeout(() => response.end(`${end}\n\n`), 20);
    }).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const api = new ApiClient(url);
    await expect(api.raw('/v1/body', { method: 'GET' })).rejects.toThrow('GET /v1/body shows a secret');
    await expect(api.raw('/v1/header', { method: 'GET' })).rejects.toThrow('GET /v1/header shows a secret');
    const stream = new EventStream(await exchange(`${url}/v1/stream`, { method: 'GET' }), document);
    await expect(stream.closed()).rejects.toThrow('a stream shows a secret');
    server.close();
  });

  test('in model input, in stored data, and in a title', async () => {
    const upstream = await startUpstream();
    const dataDir = directoryOfTest();
    const other = await startKernel({ upstream, dataDir });
    const chat = await other.api.newChat();
    await expect(other.api.newChat({ title: secret })).rejects.toThrow('shows a secret');
    // The stream shows only that the message was sent, not its text.
    await other.api.say(chat.id, `My key is ${secret}.`);
    await expect(other.stop()).rejects.toThrow(`${dataDir}/`);
    await expect(upstream.close()).rejects.toThrow('a request to the provider shows a secret');
  });
});

describe('items are rejected', () => {
  const item = { id: 't:0', kind: 'agent_message', turn_id: null, created_at: '', text: '' };
  const began = { type: 'item_started', item: { ...item, status: 'running' } };
  const grew = { type: 'item_delta', item_id: 't:0', delta: { type: 'text', text: 'Hi.' } };
  const ended = { type: 'item_completed', item: { ...item, status: 'completed', text: 'Hi.' } };
  const fold = (...events: object[]) => foldItems(events as Event[]);

  test.each([
    ['that stay open', [began, grew]],
    ['that never began', [grew]],
    ['that begin twice', [began, began]],
    ['that end twice', [began, grew, ended, ended]],
    ['that grow after their end', [began, grew, ended, grew]],
    ['whose text is not the sum of its pieces', [began, ended]],
  ])('%s', (_, events) => {
    expect(fold(began, grew, ended)).toEqual([ended.item]);
    expect(() => fold(...events)).toThrow();
  });
});
