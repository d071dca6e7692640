/**
 * Tests third-party tool servers as guests of a whole kernel: named, grouped, gated, and without information about
 * turns.
 */
import { expect, test } from 'vitest';
import { EVERYTHING, program } from '../../packages/mcp-client/test/fixtures/desk.ts';
import type { KernelOptions } from '../harness/kernel.ts';
import { namesIn, places, record, started, toolEntry } from '../harness/modules.ts';
import { secretOf } from '../harness/secrets.ts';
import { KINDS } from '../harness/settings.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

/** A kernel with the hand-written guest `desk`, once its tools are available. */
async function hosting(options: KernelOptions = {}) {
  const guest = program('2025-11-25');
  const kernel = await kernelOf({
    ...options,
    settings: { mcp: { servers: { desk: guest.entry } }, ...options.settings },
  });
  await expect
    .poll(() => toolEntry(kernel.api, 'mcp_desk_echo'), { timeout: 30_000 })
    .toMatchObject({ available: true });
  const offered = async (body: object, fields: object = {}) => {
    const chat = await kernel.client.createChat(fields);
    await kernel.client.say(chat.id, 'Hi.', { ...body });
    return namesIn(kernel.upstream.requests.at(-1));
  };
  return { ...kernel, guest, offered };
}

test('[MCP-1] [API-4] [SVC-2] gives tools of an MCP server its prefix and group, and calls them like any other', async () => {
  const { api, client, upstream, guest } = await hosting();
  expect(await toolEntry(api, 'mcp_desk_echo')).toEqual({
    name: 'mcp_desk_echo',
    description: 'Says it again.',
    input_schema: expect.objectContaining({ type: 'object' }),
    group: 'mcp_desk',
    icon: '🔌',
    master_only: false,
    trusted_only: true,
    client_only: false,
    on_demand: false,
    effects: ['read'],
    source: 'mcp',
    available: true,
  });
  const { groups } = await client.listTools();
  expect(groups.filter(({ name }) => name.startsWith('mcp'))).toMatchObject([
    { name: 'mcp', about: 'all tool servers', on_demand: false },
    { name: 'mcp_desk', on_demand: false },
  ]);
  const chat = await client.createChat();
  upstream.next(calls('c', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { id: 'c', is_error: false, output: '{"word":"hi"}' },
  ]);
  const [call] = guest.came().filter(({ method }) => method === 'tools/call');
  expect(call?.params).toMatchObject({ name: 'echo', arguments: { word: 'hi' } });
});

test('[MCP-1] [TURN-8] the group mcp contains all of them, mcp_<server> those of one, and guests of a chat have none', async () => {
  const other = program('2025-11-25');
  const desk = program('2025-11-25');
  const { api, offered } = await hosting({
    settings: { mcp: { servers: { desk: desk.entry, shop: other.entry } } },
  });
  await expect.poll(() => toolEntry(api, 'mcp_shop_echo'), { timeout: 30_000 }).toBeDefined();
  const servers = (names: string[]) => [...new Set(names.map(name => name.split('_').slice(0, 2).join('_')))];
  expect(servers(await offered({ tools: ['mcp'] }))).toEqual(['mcp_desk', 'mcp_shop']);
  expect(servers(await offered({ tools: ['mcp_shop'] }))).toEqual(['mcp_shop']);
  expect(await offered({ tools: ['mcp_desk_echo'] })).toEqual(['mcp_desk_echo']);
  const without = async (disabled: string[]) =>
    (await offered({}, { toolset: { loaded: [], disabled } })).filter(name => name.startsWith('mcp_'));
  expect(await without(['mcp'])).toEqual([]);
  expect(servers(await without(['mcp_desk']))).toEqual(['mcp_shop']);
  expect((await offered({ guest: true })).filter(name => name.startsWith('mcp_'))).toEqual([]);
});

test('[MCP-1] [BT-10] gives sub-agents all MCP servers by their group', async () => {
  const { client, upstream } = await hosting();
  const chat = await client.createChat();
  upstream.next(
    calls('a', 'agent', { agents: [{ name: 'scout', task: 'Go.', tools: ['mcp'] }] }),
    says('Found.'),
    says('Done.'),
  );
  await client.say(chat.id, 'Go.');
  expect(namesIn(upstream.requests.at(-2))).toEqual(
    expect.arrayContaining(['mcp_desk_echo', 'mcp_desk_wait']),
  );
  expect(namesIn(upstream.requests.at(-2))).not.toContain('plan');
});

test('[MCP-1] [BT-11] accepts a policy for a tool of an MCP server, and makes all of them on-demand by their group', async () => {
  const { api, upstream, offered } = await hosting({
    settings: {
      mcp: { servers: { desk: program('2025-11-25').entry } },
      tools: { policy: { mcp_desk_wait: 'off', mcp_desk_echo: 'allow' }, on_demand: ['mcp'] },
    },
  });
  expect(await toolEntry(api, 'mcp_desk_wait')).toBeUndefined();
  expect(await toolEntry(api, 'mcp_desk_echo')).toMatchObject({ trusted_only: false, on_demand: true });
  expect((await offered({})).filter(name => name.startsWith('mcp_'))).toEqual([]);
  expect(await offered({ tools: ['mcp'], guest: true })).toEqual(['mcp_desk_echo']);
  expect(upstream.requests[0]?.body.messages[0].content).toMatch(/load with load_tools: mcp_desk \(/);
});

test('[MCP-2] sends nothing about the turn, its chat or the speaker to an MCP server', async () => {
  const { api, client, upstream, guest } = await hosting();
  const person = await client.resolvePerson({ surface: 'test', external_id: 'ada' });
  await api.patch(`/v1/persons/${person.id}`, { trusted: true });
  const chat = await client.createChat({ workdir: '/tmp', title: 'Secret title' });
  upstream.next(calls('secret-call', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  const stream = await client.begin(chat.id, {
    text: 'Secret words.',
    sender: 'Ada Secret',
    person_id: person.id,
    anchor: { chat_id: 987654, message_id: 876543 },
  });
  await stream.all();
  const told = JSON.stringify([guest.came(), guest.starts()]);
  const secrets = [chat.id, stream.turnId, person.id, 'ecret', '987654', '876543', secretOf('api_key')];
  expect(secrets.filter(secret => told.includes(secret))).toEqual([]);
  const [call] = guest.came().filter(({ method }) => method === 'tools/call');
  expect(Object.keys(call?.params ?? {}).sort()).toEqual(['_meta', 'arguments', 'name']);
  expect(Object.keys(call?.params?._meta ?? {})).toEqual(['progressToken']);
});

test('[MCP-2] [MOD-7] excludes an MCP server from all stages, and passes its calls to modules', async () => {
  const heard = record(places().at('heard'));
  const guest = program('2025-11-25');
  const { client, upstream } = await hosting({
    settings: {
      mcp: { servers: { desk: guest.entry } },
      modules: {
        servers: {
          guard: started({
            name: 'guard',
            record: heard.path,
            stages: [{ stage: 'tool_call' }],
            answers: { tool_call: { action: 'block', reason: 'No.' } },
          }),
        },
      },
    },
  });
  const chat = await client.createChat();
  upstream.next(calls('c', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  expect(eventsOf(await client.say(chat.id, 'Go.'), 'tool_result')).toMatchObject([{ is_error: true }]);
  expect(heard.heard('stage')).toMatchObject([{ params: { payload: { name: 'mcp_desk_echo' } } }]);
  const methods = new Set(guest.came().map(({ method }) => method));
  expect([...methods].filter(method => method === 'stage' || method === 'tools/call')).toEqual([]);
});

test.each(KINDS)('[MCP-1] [IMG-2] %s: shows an image of the reference server to the model', async kind => {
  const { api, client, upstream } = await kernelOf({
    kind,
    settings: { mcp: { servers: { every: { command: process.execPath, args: [EVERYTHING, 'stdio'] } } } },
  });
  await expect
    .poll(() => toolEntry(api, 'mcp_every_echo'), { timeout: 30_000 })
    .toMatchObject({ available: true });
  const chat = await client.createChat();
  upstream.next(calls('c', 'mcp_every_get-tiny-image', {}), says('Seen.'));
  const events = await client.say(chat.id, 'Go.');
  const [result] = eventsOf(events, 'tool_result');
  const id = /\[image ([0-9a-f-]{36})\]/.exec(result?.output ?? '')?.[1];
  const { body, status } = await api.get(`/images/${id}`);
  expect(status).toBe(200);
  expect(upstream.requests.map(({ rejected }) => rejected)).toEqual([undefined, undefined]);
  expect(JSON.stringify(upstream.requests[1]?.body)).toContain(body.toString('base64'));
  expect((await client.items(chat.id)).map(({ kind }) => kind)).toEqual([
    'user_message',
    'tool_call',
    'agent_message',
  ]);
});
