/** Tests that hostile and broken servers cost the kernel only little. */
import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { ProgramTransport } from '../src/wires/program-transport.ts';
import { isDown, isUp, openDesk, until } from './fixtures/desk.ts';
import { httpGuest } from './fixtures/http-server.ts';

/** A transport to a program that the test plays; handling a message takes 2 ms. */
async function playedProgram(onMessage: (count: number) => void = () => {}) {
  const output = new PassThrough();
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const exit = () => resolve('the program ended');
  // It ends with its input.
  const stdin = new PassThrough().once('finish', exit);
  const child = { stdout: output, stdin, pid: 1 } as unknown as ChildProcess;
  const transport = new ProgramTransport({ child, ended, end: exit }, { onTooLarge() {}, onUnread() {} });
  const seen = { handled: 0, closed: 0, errors: [] as string[] };
  transport.onmessage = () => {
    seen.handled += 1;
    for (const end = performance.now() + 2; performance.now() < end; );
    onMessage(seen.handled);
  };
  transport.onerror = error => void seen.errors.push(error.message);
  transport.onclose = () => {
    seen.closed += 1;
  };
  await transport.start();
  const flood = () => output.write('{"jsonrpc":"2.0","method":"notifications/x"}\n'.repeat(200));
  return { transport, seen, exit, flood };
}
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

it('lets other work run while a program sends a flood of messages', async () => {
  const { seen, flood } = await playedProgram();
  flood();
  // Without pauses, all messages of a chunk are handled before this.
  await pause(1);
  expect(seen.handled).toBeGreaterThan(0);
  expect(seen.handled).toBeLessThan(150);
  await until(() => expect(seen.handled).toBe(200));
  expect(seen.closed).toBe(0);
});

it('lets other work run while it handles what a program sent before it ended', async () => {
  const { seen, exit, flood } = await playedProgram();
  flood();
  await pause(1);
  exit();
  await pause(1);
  expect(seen.handled).toBeLessThan(150);
  expect(seen.closed).toBe(0);
  await until(() => expect(seen.closed).toBe(1));
  expect(seen.handled).toBe(200);
});

it('handles no more messages after it was closed', async () => {
  const { transport, seen, flood } = await playedProgram();
  flood();
  await pause(1);
  await transport.close();
  const { handled } = seen;
  await pause(50);
  expect(seen).toEqual({ handled, closed: 1, errors: [] });
  expect(handled).toBeLessThan(150);
});

it('closes the connection if a message cannot be handled, also in a later slice', async () => {
  const { seen, flood } = await playedProgram(count => {
    if (count === 20) throw new Error('cannot be handled');
  });
  flood();
  await until(() => expect(seen.closed).toBe(1));
  await pause(50);
  expect(seen).toEqual({ handled: 20, closed: 1, errors: ['cannot be handled'] });
});

it.each([
  '2025-11-25',
  '2026-07-28',
] as const)('disconnects from a server of %s that answers more than 16 MiB', async revision => {
  const guest = await httpGuest(revision);
  onTestFinished(guest.stop);
  const desk = openDesk({ g: { url: guest.url } });
  await isUp(desk);
  expect((await desk.call('mcp_g_huge')).output).toMatch(/a message of more than 16777216 bytes/);
  await isDown(desk, /a message of more than 16777216 bytes/);
});

it('offers tools with odd input schemas, skips those that cannot be called, and reports why', async () => {
  const guest = await httpGuest('2025-11-25');
  onTestFinished(guest.stop);
  const properties = Object.fromEntries(
    Array.from({ length: 5000 }, (_, n) => [`p${n}`, { type: 'string' }]),
  );
  guest.server.tools = [
    { name: 'good', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
    { name: 'good', inputSchema: { type: 'object' } },
    {
      name: 'referring',
      inputSchema: { type: 'object', $defs: { 'a/b': {} }, properties: { a: { $ref: '#/$defs/a~1b' } } },
    },
    { name: 'list', inputSchema: { type: 'array' } },
    { name: 'odd', inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } },
    { name: 'away', inputSchema: { type: 'object', properties: { a: { $ref: 'http://x.example/y' } } } },
    { name: 'astray', inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } },
    { name: 'large', inputSchema: { type: 'object', properties } },
    { name: 'task', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } } as never,
    { name: 'deep', inputSchema: JSON.parse(`${'{"a":'.repeat(100)}{}${'}'.repeat(100)}`) },
    { name: 'none' },
    { inputSchema: { type: 'object' } },
    'nothing' as never,
  ];
  guest.server.pageSize = 100;
  const desk = openDesk({ g: { url: guest.url } });
  await isUp(desk);
  const [away, astray, good, none, odd, referring] = [
    { a: { $ref: 'http://x.example/y' } },
    { a: { $ref: '#/$defs/none' } },
    {},
    {},
    { a: { type: 'strin' } },
    { a: { $ref: '#/$defs/a~1b' } },
  ].map(properties => ({ type: 'object', properties }));
  const offered = Object.fromEntries(desk.mcp.tools().map(({ name, input_schema }) => [name, input_schema]));
  expect(offered).toEqual({
    mcp_g_away: away,
    mcp_g_astray: astray,
    mcp_g_good: good,
    mcp_g_none: none,
    mcp_g_odd: odd,
    mcp_g_referring: { ...referring, $defs: { 'a/b': {} } },
  });
  const left = desk.log.find(({ level }) => level === 'warn')?.facts.left_out;
  expect(left).toEqual([
    'good: listed twice',
    'list: its input schema does not have the type object',
    'large: its input schema has more than 65536 characters',
    'task: it runs only as a task, which its server does not offer',
    'deep: its input schema has more than 64 levels',
    'a tool without a name',
    'a tool without a name',
  ]);
});

it('skips tools whose headers cannot be sent, and sends the headers of the others', async () => {
  const guest = await httpGuest('2026-07-28');
  onTestFinished(guest.stop);
  const wish = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
  const tool = (name: string, properties: object, others = {}) => ({
    name,
    inputSchema: { type: 'object', properties, ...others },
  });
  guest.server.pageSize = 100;
  guest.server.tools = [
    tool('good', {
      region: wish('Region'),
      deep: { type: 'object', properties: { flag: wish('Flag', 'boolean') } },
    }),
    tool('plain', { 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 1 } } }),
    tool('bad_name', { region: wish('a b') }),
    tool('bad_type', { region: wish('Region', 'number') }),
    tool('bad_twice', { region: wish('Region'), other: wish('region') }),
    tool('bad_place', { list: { type: 'array', items: wish('Region') } }),
    tool('bad_input', {}, { 'x-mcp-header': 'Region' }),
  ];
  const desk = openDesk({ g: { url: guest.url } });
  await isUp(desk);
  expect(desk.mcp.tools().map(({ name }) => name)).toEqual(['mcp_g_good', 'mcp_g_plain']);
  await desk.call('mcp_g_good', { region: 'eu', deep: { flag: true } });
  expect(guest.headers).toContainEqual(
    expect.objectContaining({ 'mcp-param-region': 'eu', 'mcp-param-flag': 'true', 'mcp-name': 'good' }),
  );
});

it('gives every tool a unique name that providers accept, regardless of its original name', async () => {
  const names = ['a.b', 'a_b', 'ä', 'x'.repeat(100), `${'x'.repeat(100)}y`];
  const guests = await Promise.all(
    ['2025-11-25', '2026-07-28'].map(revision => httpGuest(revision as '2025-11-25')),
  );
  for (const { server, stop } of guests) {
    onTestFinished(stop);
    server.tools = names.map(name => ({ name, inputSchema: { type: 'object' } }));
  }
  const [one, two] = guests.map(({ url }) => ({ url }));
  const desk = openDesk({ s: one ?? {}, s_a: two ?? {} });
  await isUp(desk);
  const found = desk.mcp.tools().map(({ name }) => name);
  expect(found).toHaveLength(10);
  expect(new Set(found).size).toBe(10);
  for (const name of found) expect(name).toMatch(/^mcp_s[a-zA-Z0-9_-]{1,60}$/);
  expect(found).toContain('mcp_s_a_b');
});

it('shows at most ten snapshots per second, and always the last', async () => {
  const guest = await httpGuest('2025-11-25');
  onTestFinished(guest.stop);
  const desk = openDesk({ g: { url: guest.url } });
  await isUp(desk);
  const take = guest.server.take.bind(guest.server);
  let finish = () => {};
  guest.server.take = (message, send, tell) => {
    if (message.method !== 'tools/call') return take(message, send, tell);
    const { progressToken } = message.params?._meta ?? {};
    for (let progress = 0; progress < 1000; progress += 1) {
      send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
    }
    finish = () => send({ jsonrpc: '2.0', id: message.id, result: { content: [] } });
    return undefined;
  };
  const shown: string[] = [];
  const answer = desk.call('mcp_g_echo', {}, { progress: text => void shown.push(text) });
  await until(() => expect(shown).toEqual(['0']));
  await new Promise(resolve => setTimeout(resolve, 50));
  desk.clock.advance(100);
  expect(shown).toEqual(['0', '999']);
  finish();
  expect(await answer).toEqual({ output: '(The tool returned nothing.)', is_error: false });
});
