/** Tests the kernel as an MCP server with the client of the reference SDK in both generations of the protocol. */
import { expect, onTestFinished, test } from 'vitest';
import { bytesOf, exchange } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { ERAS, mcpClientOf, textsOf } from '../harness/mcp.ts';
import { kernelOf, sharedKernel } from '../harness/shared-kernel.ts';
import { calls, held, says, stuck } from '../harness/story.ts';

const kernel = sharedKernel();

const NO_CHAT = '00000000-0000-4000-8000-000000000000';

/** The turn that runs in the only chat of the shelf that has one. */
async function runningTurn({ client }: TestKernel) {
  const { chats } = await client.listChats({ shelf: 'mcp' });
  const chat = chats.find(({ turn }) => turn?.status === 'running');
  return chat && { chat_id: chat.id, turn_id: chat.turn!.id };
}

async function untilTurn(kernel: TestKernel) {
  await expect.poll(() => runningTurn(kernel), { timeout: 30_000 }).toBeDefined();
  return (await runningTurn(kernel))!;
}

const statusOf = async ({ chat_id, turn_id }: { chat_id: string; turn_id: string }) =>
  (await kernel.client.getTurn(chat_id, turn_id)).status;

test.each([
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
] as const)('[MCP-3] %s: lists four tools, one of which acts', async (era, revision) => {
  const mcp = await mcpClientOf(kernel, era);
  expect(mcp.getNegotiatedProtocolVersion()).toBe(revision);
  expect(mcp.getServerVersion()).toMatchObject({ name: 'chat-kernel', title: 'Chat Kernel' });
  const { tools } = await mcp.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['ask', false],
    ['search_chats', true],
    ['read_chat', true],
    ['memory', true],
  ]);
  expect(tools[0]?.inputSchema).toMatchObject({ required: ['text'] });
});

test.each(ERAS)('[MCP-3] %s: ask creates a chat, reports progress, and continues the chat', async era => {
  const mcp = await mcpClientOf(kernel, era);
  kernel.upstream.next(calls('c', 'plan', { tasks: [] }), says('Forty-two.'));
  const told: string[] = [];
  const first = await mcp.callTool(
    { name: 'ask', arguments: { text: 'How many?' } },
    { onprogress: ({ message }) => void told.push(message ?? '') },
  );
  const { chat_id } = first.structuredContent as { chat_id: string };
  expect(first.structuredContent).toEqual({ answer: 'Forty-two.', chat_id, turn_id: expect.any(String) });
  expect(textsOf(first)).toEqual(['Forty-two.', `[chat_id ${chat_id}]`]);
  expect(told).toContainEqual(expect.stringMatching(/^Tool plan/));
  expect(told).toContain('Answers: Forty-two.');
  expect(await kernel.client.getChat(chat_id)).toMatchObject({ shelf: 'mcp', model: null });

  kernel.upstream.next(says('Yes.'));
  const second = await mcp.callTool({ name: 'ask', arguments: { text: 'Sure?', chat_id } });
  expect(second.structuredContent).toMatchObject({ answer: 'Yes.', chat_id });
  expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain('How many?');
});

test.each(ERAS)('[MCP-3] %s: a canceled call cancels its turn', async era => {
  const mcp = await mcpClientOf(kernel, era);
  kernel.upstream.next(stuck({ text: 'Well' }));
  const cancel = new AbortController();
  const call = mcp.callTool({ name: 'ask', arguments: { text: 'Go.' } }, { signal: cancel.signal });
  const failed = expect(call).rejects.toThrow();
  const turn = await untilTurn(kernel);
  cancel.abort('enough');
  await failed;
  await expect.poll(() => statusOf(turn), { timeout: 30_000 }).toBe('cancelled');
});

test('[MCP-3] leaves calls of other clients running on a cancel, although they have the same ids', async () => {
  const [one, other] = [await mcpClientOf(kernel, 'legacy'), await mcpClientOf(kernel, 'legacy')];
  const { reply, go } = held({ text: 'Done.' });
  kernel.upstream.next(reply);
  const call = one.callTool({ name: 'ask', arguments: { text: 'Go.' } });
  const turn = await untilTurn(kernel);
  const ids = Array.from({ length: 10 }, (_, id) => id);
  await Promise.all(
    ids.map(requestId => other.notification({ method: 'notifications/cancelled', params: { requestId } })),
  );
  go();
  expect((await call).structuredContent).toMatchObject({ answer: 'Done.' });
  expect(await statusOf(turn)).toBe('completed');
});

test('[MCP-3] cancels nothing when a connection of the 2025 protocol is dropped', async () => {
  const hangUp = new AbortController();
  const { reply, go } = held({ text: 'Kept.' });
  kernel.upstream.next(reply);
  const params = { name: 'ask', arguments: { text: 'Go.' } };
  const answer = await fetch(`${kernel.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: hangUp.signal,
  });
  const turn = await untilTurn(kernel);
  hangUp.abort();
  await expect(answer.text()).rejects.toThrow();
  go();
  await expect.poll(() => statusOf(turn), { timeout: 30_000 }).toBe('completed');
  expect(JSON.stringify(await kernel.client.listItems(turn.chat_id))).toContain('Kept.');
});

test('[MCP-3] finds and reads past messages, and reads the memory', async () => {
  const mcp = await mcpClientOf(kernel, 'auto');
  const callOf = async (name: string, args: object = {}) =>
    textsOf(await mcp.callTool({ name, arguments: { ...args } })).join('\n');
  const chat = await kernel.client.createChat({ title: 'Birds' });
  kernel.upstream.next(says('A heron stands.'));
  await kernel.client.say(chat.id, 'Which bird is that?');
  const found = await callOf('search_chats', { query: 'heron' });
  expect(found).toContain(`== Birds [chat_id ${chat.id}]`);
  expect(found).toContain('**heron**');
  const read = await callOf('read_chat', { chat_id: chat.id });
  expect(read).toMatch(
    /^Birds\n\n== owner, \S+\nWhich bird is that\?\n\n== assistant, \S+\nA heron stands\./,
  );
  const [, before] = /\[for older messages, read with before (\S+)\]/.exec(read) ?? [];
  expect(await callOf('read_chat', { chat_id: chat.id, before })).toBe('There are no more messages.');
  expect(await callOf('search_chats', { query: 'nowhere-said' })).toMatch(/^No message contains/);
  expect(await callOf('memory')).toBe('No memories yet.');
  await kernel.client.addMemory({ text: 'Likes herons.' });
  expect(await callOf('memory')).toMatch(/^- Likes herons\. \(\d{4}-\d\d-\d\d\)$/);
});

test('[MCP-3] returns failures to the caller, and leaves no empty chat', async () => {
  const mcp = await mcpClientOf(kernel, 'auto');
  const callOf = (name: string, args: object) => mcp.callTool({ name, arguments: { ...args } });
  const before = (await kernel.client.listChats({ shelf: 'mcp' })).chats.length;
  const refused = async (name: string, args: object) => {
    const result = await callOf(name, args);
    expect(result.isError).toBe(true);
    return textsOf(result).join('\n');
  };
  expect(await refused('ask', { text: 'Hi.', chat_id: NO_CHAT })).toMatch(
    /^The kernel rejected the request: /,
  );
  expect(await refused('read_chat', { chat_id: NO_CHAT })).toMatch(/^The kernel rejected the request: /);
  expect(await refused('ask', { text: 'Hi.', model: 'no/model' })).toMatch(
    /^The kernel rejected the request: /,
  );
  expect(await refused('ask', { text: ' ' })).toContain('expected text');
  expect(await refused('ask', { text: 'Hi.', chat_id: 'x' })).toContain('chat_id');
  expect((await kernel.client.listChats({ shelf: 'mcp' })).chats).toHaveLength(before);
  kernel.upstream.next({ status: 400 });
  expect(await refused('ask', { text: 'Hi.' })).toMatch(/^The turn failed: .*\n\n\[chat_id \S+\]$/s);
});

test('[MCP-3] [AUTH-4] rejects foreign pages, host names and addresses', async () => {
  const ask = async (headers: Record<string, string>, path = '', body = '{}') => {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await exchange(`${kernel.url}/mcp${path}`, { method: 'POST', headers: sent, body });
    return [answer.statusCode, JSON.parse(String(await bytesOf(answer))).error];
  };
  const refusal = (message: string) => ({ code: -32000, message });
  expect(await ask({ origin: 'https://evil.example' })).toEqual([
    403,
    refusal('The origin in the Origin header is not allowed. Add it to server.cors_origins to allow it.'),
  ]);
  expect(await ask({ host: 'evil.example' })).toEqual([
    403,
    refusal('The host in the Host header is not allowed. Add it to server.allowed_hosts to allow it.'),
  ]);
  expect(await ask({}, '/more')).toEqual([404, refusal('Not found. The MCP endpoint is /mcp.')]);
  expect(await ask({ 'content-type': 'text/plain' })).toMatchObject([415, { code: -32000 }]);
  expect(await ask({}, '', '{')).toEqual([422, { code: -32700, message: 'The body is not valid JSON.' }]);
  expect(await ask({}, '', '')).toEqual([400, refusal('The body is missing.')]);
});

test('[MCP-3] ends its calls when the kernel stops', async () => {
  const own = await startKernel({ settings: { server: { shutdown_grace_secs: 0 } } });
  // A connection that stays open after its call delays the stop by a second.
  const mcp = await mcpClientOf(own, 'auto', { connection: 'close' });
  own.upstream.next(stuck({ text: 'Well' }));
  const call = mcp.callTool({ name: 'ask', arguments: { text: 'Go.' } }).catch(() => undefined);
  await untilTurn(own);
  const stopped = own.stop();
  onTestFinished(() => stopped);
  const result = await call;
  if (result !== undefined) expect(result.isError).toBe(true);
  await stopped;
});

test('[MCP-3] logs no error if a client disconnects before the MCP server is loaded', async () => {
  const own = await kernelOf();
  const ask = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'memory', arguments: {} } };
  const leave = new AbortController();
  const request = fetch(`${own.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(ask),
    signal: leave.signal,
  });
  setImmediate(() => setImmediate(() => leave.abort()));
  await expect(request).rejects.toThrow();
  const mcp = await mcpClientOf(own, 'auto');
  expect((await mcp.listTools()).tools).toHaveLength(4);
});
