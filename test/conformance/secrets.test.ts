/** Programs and servers get only their own secrets of the kernel, and no secret that they repeat reaches a model. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { httpGuest } from '../../packages/extensions/test/mcp/fixtures/http-server.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { bytesOf, exchange } from '../harness/http.ts';
import { becomes, kernelOf, started, tool, toolEntry } from '../harness/modules.ts';
import { ENVIRONMENT } from '../harness/secrets.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const OF_THE_KERNEL = new RegExp(Object.keys(ENVIRONMENT).join('|'));

test('[API-7] a command gets none of the variables that hold keys', async () => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat({ workdir: directoryOfTest(), workdir_on: 'server' });
  upstream.next(calls('c', 'shell', { commands: ['env'] }), says('Done.'));
  const [result] = eventsOf(await api.say(chat.id, 'Go.'), 'tool_result');
  expect(result?.output).toMatch(/^PATH=/m);
  expect(result?.output).not.toMatch(OF_THE_KERNEL);
});

test('[API-7] a module gets the variables of its entry and no others, and what it tells of them is hidden', async () => {
  const parrot = started({ name: 'parrot', about: 'repeats', tools: [tool('environment')] });
  const { api, upstream } = await kernelOf({ settings: { modules: { servers: { parrot } } } });
  await becomes(api, 'parrot', 'up');
  upstream.next(calls('c', 'parrot_environment', {}), says('Done.'));
  const [result] = eventsOf(await api.say((await api.newChat()).id, 'Go.'), 'tool_result');
  const environment = JSON.parse(result?.output ?? '');
  expect(environment).toMatchObject({ HARNESS_MODULE: '***', PATH: expect.any(String) });
  expect(Object.keys(environment).join()).not.toMatch(OF_THE_KERNEL);
});

test('[API-7] what a tool server repeats of its headers as it refuses a call is hidden', async () => {
  const { api, upstream } = await kernelOf({
    settings: { mcp: { servers: { desk: { url: await startParrot() } } } },
  });
  await expect
    .poll(() => toolEntry(api, 'mcp_desk_echo'), { timeout: 30_000 })
    .toMatchObject({ available: true });
  upstream.next(calls('c', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  const [result] = eventsOf(await api.say((await api.newChat()).id, 'Go.'), 'tool_result');
  expect(result).toMatchObject({ is_error: true, output: expect.stringContaining('"x-harness":"***"') });
});

/** A tool server over HTTP in front of which somebody refuses all calls, and tells why at length. */
async function startParrot(): Promise<string> {
  const guest = await httpGuest('2025-11-25');
  onTestFinished(() => guest.stop());
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (body.includes('tools/call')) {
      response
        .writeHead(403)
        .end(`You said ${JSON.stringify({ 'x-harness': request.headers['x-harness'] })}`);
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
