/** Tests that the checked client detects violations. Otherwise the tests that use it prove nothing. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkedFetch } from './checked-fetch.ts';
import { TestClient } from './kernel-client.ts';
import { secretOf } from './secrets.ts';
import { sharedKernel } from './shared-kernel.ts';
import { Terminal } from './terminal.ts';

const CHAT = '01890000-0000-7000-8000-000000000000';
const HEADERS = { 'content-type': 'text/event-stream', 'x-turn-id': CHAT, 'x-message-id': CHAT };

const kernel = sharedKernel();

/** Errors that would fail the test when its kernel stops. */
let failures: Error[];
beforeEach(() => {
  failures = [];
});

/** Creates a client whose kernel sends these headers and pieces and then disconnects. */
async function clientOf(headers: Record<string, string>, ...pieces: string[]): Promise<TestClient> {
  const server = createServer(async (_, response) => {
    response.writeHead(200, headers);
    for (const piece of pieces) {
      response.write(piece);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const fetch = checkedFetch(kernel.api, error => failures.push(error));
  return new TestClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetch });
}

const told = (event: object) => `data: ${JSON.stringify(event)}\nid: 1\n\n`;
const text = { type: 'text_delta', text: 'Hi.' };
const op = (fields: object) => told({ type: 'client_op', id: 'a', op_id: 'a', action: 'write', ...fields });

test('fails at an interrupted turn, without a new connection', async () => {
  const client = await clientOf(HEADERS, told(text));
  const turn = await client.begin(CHAT, { text: 'Go.' });
  expect(await turn.until('text_delta')).toEqual(text);
  await expect(turn.all()).rejects.toThrow('could not be reached');
  await expect(client.say(CHAT, 'Go.')).rejects.toThrow('could not be reached');
  const watching = await client.watch(CHAT);
  await expect(watching.until('done')).rejects.toThrow('could not be reached');
});

test('does not fail if the caller leaves a stream', async () => {
  const client = await clientOf(HEADERS, told(text), ...Array<string>(20).fill(': \n\n'));
  const turn = await client.begin(CHAT, { text: 'Go.' });
  await turn.until('text_delta');
  turn.hangUp();
  await turn.closed();
  await expect(turn.until('done')).rejects.toThrow('ended without done');
});

test.each([
  ['an event that is not documented', HEADERS, [told({ type: 'noise' })], 'noise'],
  ['a line of its own', HEADERS, [`event: text\n${told(text)}`], 'begins with its data'],
  ['a field that is not documented', HEADERS, [told({ ...text, internal: 1 })], 'internal'],
  [
    'a secret, in pieces',
    HEADERS,
    [`: ${secretOf('harness').slice(0, 7)}`, secretOf('harness').slice(7)],
    'a secret',
  ],
  ['a secret in a header', { ...HEADERS, 'x-harness': secretOf('harness') }, [], 'a secret'],
] as const)('fails at a stream with %s', async (_, headers, pieces, words) => {
  await expect((await clientOf(headers, ...pieces)).say(CHAT, 'Go.')).rejects.toThrow();
  expect(failures.join('\n')).toContain(words);
});

test.each([
  ['a field that is missing', { text: 'x' }, 'updated_at'],
  ['a secret', { text: secretOf('harness'), updated_at: null }, 'a secret'],
])('fails at a response with %s', async (_, body, words) => {
  const client = await clientOf({ 'content-type': 'application/json' }, JSON.stringify(body));
  await expect(client.getNotebook(CHAT)).rejects.toThrow();
  expect(failures.join('\n')).toContain(words);
});

test.each([
  ['comes twice', [op({ path: 'a', content: '' }), op({ path: 'a', content: '' })], 'twice'],
  ['has two ids', [op({ id: 'b', path: 'a', content: '' })], 'two ids'],
  ['lacks a parameter', [op({ path: 'a' })], 'content'],
])('fails the terminal at an operation that %s', async (_, pieces, words) => {
  const client = await clientOf(HEADERS, ...pieces);
  const terminal = new Terminal(client, { directory: '/nowhere', approve: () => 'deny' });
  const thrown = await terminal.turn(CHAT, { text: 'Go.' }).catch(String);
  // A violation of the API document ends the stream of the terminal and becomes its reason.
  expect([thrown, ...failures].join('\n')).toContain(words);
});
