/**
 * Tests that programs and servers get only their own secrets, and that a secret which they repeat never reaches a
 * model.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Event } from '@chat-kernel/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { httpGuest } from '../../packages/mcp-client/test/fixtures/http-server.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient } from '../harness/hands.ts';
import { bytesOf, exchange } from '../harness/http.ts';
import { becomes, places, record, started, tool, toolEntry } from '../harness/modules.ts';
import { ENVIRONMENT, refuseSecrets, secretOf } from '../harness/secrets.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const OF_THE_KERNEL = new RegExp(Object.keys(ENVIRONMENT).join('|'));

test('a command gets no environment variables with keys', async () => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat({ workdir: directoryOfTest(), workdir_on: 'server' });
  upstream.next(calls('c', 'shell', { commands: ['env'] }), says('Done.'));
  const [result] = eventsOf(await api.say(chat.id, 'Go.'), 'tool_result');
  expect(result?.output).toMatch(/^PATH=/m);
  expect(result?.output).not.toMatch(OF_THE_KERNEL);
});

test('a module gets only the variables of its entry, and their values are redacted in its output', async () => {
  const parrot = started({ name: 'parrot', about: 'repeats', tools: [tool('environment')] });
  const { api, upstream } = await kernelOf({ settings: { modules: { servers: { parrot } } } });
  await becomes(api, 'parrot', 'up');
  upstream.next(calls('c', 'parrot_environment', {}), says('Done.'));
  const [result] = eventsOf(await api.say((await api.newChat()).id, 'Go.'), 'tool_result');
  const environment = JSON.parse(result?.output ?? '');
  expect(environment).toMatchObject({ HARNESS_MODULE: '***', PATH: expect.any(String) });
  expect(Object.keys(environment).join()).not.toMatch(OF_THE_KERNEL);
});

/** The key of the provider of all tests. */
const KEY = secretOf('api_key');

/** The output of the only call of a turn, the progress that was shown, and all that clients can read of its chat. */
async function readBack(
  { api, upstream }: Awaited<ReturnType<typeof kernelOf>>,
  chatId: string,
  events: Event[],
) {
  const pages = await Promise.all(
    ['items', 'messages', 'export', 'export?format=markdown'].map(
      async page => (await api.get(`/v1/chats/${chatId}/${page}`)).body,
    ),
  );
  const all = JSON.stringify([events, pages, upstream.requests.map(({ body }) => body)]);
  refuseSecrets(all, 'the chat');
  expect(all).not.toContain(KEY);
  return eventsOf(events, 'tool_result').map(({ output }) => output);
}

test('[API-7] no tool of the kernel returns the key of a provider, and no module that sees results', async () => {
  const heard = record(places().at('parrot'));
  const parrot = started({ name: 'parrot', record: heard.path, stages: [{ stage: 'tool_result' }] });
  const kernel = await kernelOf({ settings: { modules: { servers: { parrot } } } });
  const { api, upstream } = kernel;
  await becomes(api, 'parrot', 'up');
  const workdir = directoryOfTest();
  writeFileSync(join(workdir, 'settings.yaml'), `api_key: ${KEY}\nport: 1\n`);
  const chat = await api.newChat({ workdir, workdir_on: 'server' });
  upstream.next(
    calls('a', 'shell', { commands: ['cat settings.yaml', `echo "$(cat settings.yaml)" >&2; exit 3`] }),
    calls('b', 'read_file', { files: [{ path: 'settings.yaml' }] }),
    says('Done.'),
  );
  const [ran, read] = await readBack(kernel, chat.id, await api.say(chat.id, 'Go.'));
  expect(ran?.match(/api_key: \*\*\*\nport: 1/g)).toHaveLength(2);
  expect(read).toContain('api_key: ***');
  const results = heard.heard('stage').map(({ params }) => params.payload.output);
  expect(results).toEqual([ran, read]);
});

test('[API-7] [OP-8] no client returns the key of a provider, neither in a result nor in progress', async () => {
  const kernel = await kernelOf();
  const { api, client, upstream } = kernel;
  const workdir = directoryOfTest();
  writeFileSync(join(workdir, 'notes.txt'), `The key is ${KEY}.`);
  const chat = await client.createChat({ workdir });
  const hands = new HandsClient(api, { directory: workdir });
  upstream.next(calls('a', 'read_file', { files: [{ path: 'notes.txt' }] }), says('Done.'));
  const [read] = await readBack(kernel, chat.id, await hands.turn(chat.id, { text: 'Go.' }));
  expect(read).toContain('The key is ***.');

  upstream.next(calls('b', 'scan', {}), says('Done.'));
  const extra_tools = [{ name: 'scan', description: 'Scans.' }];
  const stream = await client.begin(chat.id, { text: 'Go.', extra_tools });
  const { id } = await stream.until('extra_tool_call');
  // A snapshot begins and ends anywhere in an output.
  const output = `${KEY.slice(5)} and ${KEY.slice(0, -5)}`;
  await api.post(`/v1/chats/${chat.id}/ops/progress`, { id, output });
  await client.answerRequest(chat.id, { id, result: `${KEY}, again: ${KEY}` });
  const events = await stream.all();
  expect(await readBack(kernel, chat.id, events)).toEqual(['***, again: ***']);
  expect(eventsOf(events, 'tool_progress').map(each => each.output)).toEqual(['*** and ***']);
});

test('redacts its headers, and the key of a provider, that an MCP server repeats in an error', async () => {
  const { api, upstream } = await kernelOf({
    settings: { mcp: { servers: { desk: { url: await startParrot() } } } },
  });
  await expect
    .poll(() => toolEntry(api, 'mcp_desk_echo'), { timeout: 30_000 })
    .toMatchObject({ available: true });
  upstream.next(calls('c', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  const [result] = eventsOf(await api.say((await api.newChat()).id, 'Go.'), 'tool_result');
  expect(result).toMatchObject({ is_error: true, output: expect.stringContaining('"x-harness":"***"') });
  expect(result?.output).toContain('not ***');
});

/** An HTTP tool server behind a proxy that rejects all calls with a long explanation. */
async function startParrot(): Promise<string> {
  const guest = await httpGuest('2025-11-25');
  onTestFinished(() => guest.stop());
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (body.includes('tools/call')) {
      response
        .writeHead(403)
        .end(`You said ${JSON.stringify({ 'x-harness': request.headers['x-harness'] })}, not ${KEY}`);
      return;
    }
    const headers = request.headers as Record<string, string>;
    const answer = await exchange(guest.url, { method: request.method ?? '', headers, body });
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    if (request.method === 'GET') answer.pipe(response);
    else response.end(await bytesOf(answer));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
