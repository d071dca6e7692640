/** Tests modules that are found by their socket in the directory. */
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { call, hostTestbed, MASTER, served, statusOf, toolOf, until } from './test-host.ts';

const ECHO = { name: 'echo', description: 'Says it again.', input_schema: { type: 'object' } };

test('[MOD-1] [MOD-2] keeps a module found by its socket pending until approval, and approved afterwards', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const module = await served({ name: 'parrot', tools: [ECHO], icon: '🦜' }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  expect(host.modules()).toEqual([
    {
      name: 'parrot',
      version: '1.0.0',
      about: 'tests',
      status: 'pending',
      source: 'socket_dir',
      tools: ['parrot_echo'],
      stages: [],
      approved_at: null,
      problem: 'it is pending approval',
      problems: [],
    },
  ]);
  expect(host.tools()).toMatchObject({ tools: [], groups: [] });
  expect(module.speakers[0]!.heard[0]).toMatchObject({
    jsonrpc: '2.0',
    method: 'initialize',
    params: { protocol: 1, name: 'parrot', kernel: { version: '9.9.9', url: 'http://127.0.0.1:1' } },
  });
  let changes = 0;
  host.onChange(() => void changes++);
  const approved = await host.approve('parrot');
  expect(approved).toMatchObject({ status: 'up', problem: null, approved_at: expect.any(String) });
  expect(changes).toBe(1);
  await host.stop();

  const next = await open();
  expect(statusOf(next, 'parrot')).toBe('up');
  expect(await call(next, 'parrot_echo')).toMatchObject({ is_error: false });
});

test('[MOD-3] [MOD-4] gives tools full names, the group of the module, and its phrase', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const tools = [
    { ...ECHO, trusted_only: true, client_only: true, on_demand: true, icon: '📣' },
    { name: 'fail', description: 'Fails.' },
  ];
  await served({ name: 'parrot', about: 'birds', tools }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await host.approve('parrot');
  expect(host.tools().groups).toEqual([{ name: 'parrot', about: 'birds' }]);
  expect(toolOf(host, 'parrot_echo')).toMatchObject({
    group: 'parrot',
    source: 'module',
    icon: '📣',
    trusted_only: true,
    client_only: true,
    on_demand: true,
    outside_effect: true,
    available: true,
  });
  expect(toolOf(host, 'parrot_fail')).toMatchObject({
    input_schema: { type: 'object', properties: {} },
    icon: '🧩',
    trusted_only: false,
    on_demand: false,
  });
});

test('[MOD-5] sends the short name, the input and the full context, the anchor only if there is one', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  await served({ name: 'parrot', tools: [ECHO] }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await host.approve('parrot');
  const first = JSON.parse((await call(host, 'parrot_echo', { n: 1 })).output);
  expect(first).toEqual({ call_id: expect.any(String), name: 'echo', input: { n: 1 }, context: MASTER });
  const bound = { ...MASTER, privileged: false, anchor: { chat_id: 7, message_id: 8 } };
  const second = JSON.parse((await call(host, 'parrot_echo', {}, bound)).output);
  expect(second.context).toEqual(bound);
  expect(second.call_id).not.toBe(first.call_id);
});

test('[MOD-9] keeps the tools of a module that never returned after a restart of the kernel', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const module = await served({ name: 'parrot', tools: [ECHO] }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await host.approve('parrot');
  await host.stop();
  module.close();
  const next = await open();
  expect(statusOf(next, 'parrot')).toBe('down');
  expect(toolOf(next, 'parrot_echo')).toMatchObject({ available: false, description: 'Says it again.' });
  expect((await call(next, 'parrot_echo')).output).toMatch(
    /^The module parrot is not running: its socket .* does not exist\.$/,
  );
});

test('[MOD-8] gets the last answers of a replaced module, and sends new calls to its successor', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const socket = join(socket_dir, 'parrot.sock');
  const tools = [ECHO, { name: 'silent', description: 'Says nothing.' }];
  const module = await served({ name: 'parrot', tools }, socket);
  const host = await open();
  await host.approve('parrot');
  const last = call(host, 'parrot_silent');
  const { heard, send } = module.speakers[0]!;
  const called = () => heard.find(({ method }) => method === 'tools/call');
  await until(() => called() !== undefined);
  const successor = await served({ name: 'parrot', tools }, socket);
  await until(() => successor.speakers.length === 1 && statusOf(host, 'parrot') === 'up');
  expect(await call(host, 'parrot_echo')).toMatchObject({ is_error: false });
  expect(successor.speakers[0]!.heard.map(({ method }) => method)).toEqual(['initialize', 'tools/call']);
  send({ id: called()!.id, result: { output: 'the last answer' } });
  expect(await last).toMatchObject({ output: 'the last answer' });
});

test('stops without waiting for a replaced module', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const socket = join(socket_dir, 'parrot.sock');
  const tools = [{ name: 'silent', description: '' }];
  await served({ name: 'parrot', tools }, socket);
  const host = await open();
  await host.approve('parrot');
  const last = call(host, 'parrot_silent');
  const successor = await served({ name: 'parrot', tools }, socket);
  await until(() => successor.speakers.length === 1 && statusOf(host, 'parrot') === 'up');
  await host.stop();
  expect((await last).output).toContain('disconnected before it answered: the kernel is stopping');
});

test('[MOD-8] handles a socket directory that appears later, disappears, or is replaced', async () => {
  const clock = new ManualClock();
  const { socket_dir, path, host: open } = await hostTestbed(clock);
  rmSync(socket_dir, { recursive: true });
  const host = await open();
  expect(host.modules()).toEqual([]);
  mkdirSync(socket_dir, { mode: 0o700 });
  await served({ name: 'parrot', tools: [ECHO] }, join(socket_dir, 'parrot.sock'));
  clock.advance(1000);
  await until(() => statusOf(host, 'parrot') === 'pending');
  renameSync(socket_dir, join(path, 'elsewhere'));
  mkdirSync(socket_dir, { mode: 0o700 });
  await served({ name: 'crow', tools: [ECHO] }, join(socket_dir, 'crow.sock'));
  clock.advance(1000);
  await until(() => statusOf(host, 'crow') === 'pending');
});

test('forgets an unapproved module when its socket is deleted', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const module = await served({ name: 'parrot', tools: [ECHO] }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  expect(statusOf(host, 'parrot')).toBe('pending');
  module.close();
  await until(() => host.modules().length === 0);
});

test('ignores sockets in a directory that everyone can write, and files that are not sockets', async () => {
  const { socket_dir, logged, host: open } = await hostTestbed();
  await served({ name: 'parrot', tools: [ECHO] }, join(socket_dir, 'parrot.sock'));
  await served({ name: '9lives', tools: [ECHO] }, join(socket_dir, '9lives.sock'));
  await served({ name: 'mcp_x', tools: [ECHO] }, join(socket_dir, 'mcp_x.sock'));
  chmodSync(socket_dir, 0o777);
  const host = await open();
  expect(host.modules()).toEqual([]);
  expect(logged.filter(({ sentence }) => sentence.includes('everybody can write'))).toHaveLength(1);
  chmodSync(socket_dir, 0o700);
  await until(() => statusOf(host, 'parrot') === 'pending');
  expect(host.modules()).toHaveLength(1);
});

test('[MOD-2] prefers the settings if both define a module', async () => {
  const { socket_dir, path, host: open } = await hostTestbed();
  const found = await served({ name: 'parrot', version: 'found' }, join(socket_dir, 'parrot.sock'));
  const socket = join(path, 'named.sock');
  await served({ name: 'parrot', version: 'named' }, socket);
  const host = await open({ servers: { parrot: { socket } } });
  await until(() => statusOf(host, 'parrot') === 'up');
  expect(host.modules()).toMatchObject([{ version: 'named', source: 'settings', approved_at: null }]);
  expect(found.speakers).toHaveLength(0);
});

test('[MOD-2] requires a new approval of a changed module, and hides its tools until then', async () => {
  const clock = new ManualClock();
  const { socket_dir, logged, host: open } = await hostTestbed(clock);
  const retool = { name: 'retool', description: 'Changes the tools.' };
  const module = await served({ name: 'parrot', tools: [retool] }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await host.approve('parrot');
  expect(await call(host, 'parrot_retool', { tools: [retool, ECHO] })).toMatchObject({ output: 'changed' });
  await until(() => statusOf(host, 'parrot') === 'pending');
  expect(host.tools().tools).toEqual([]);
  expect(host.modules()[0]).toMatchObject({
    problem: 'it has changed since its approval',
    tools: ['parrot_retool', 'parrot_echo'],
    approved_at: null,
  });
  // Each later declaration takes effect a second after the one before it.
  const pass = () => clock.advance(1000);
  // An approval applies to all later declarations that are the same.
  module.speakers[0]!.send({
    method: 'tools/changed',
    params: { tools: [{ description: retool.description, name: 'retool' }] },
  });
  pass();
  await until(() => statusOf(host, 'parrot') === 'up');
  module.speakers[0]!.send({ method: 'tools/changed', params: { tools: 'none' } });
  pass();
  await until(() => logged.some(({ sentence }) => sentence === 'a module keeps its previous tools'));
  module.speakers[0]!.send({ method: 'tools/changed', params: { tools: [retool, ECHO] } });
  pass();
  await until(() => statusOf(host, 'parrot') === 'pending');
  const seen = host.fingerprint('parrot');
  module.speakers[0]!.send({ method: 'tools/changed', params: { tools: [ECHO] } });
  pass();
  await until(() => host.fingerprint('parrot') !== seen);
  await expect(host.approve('parrot', seen)).rejects.toMatchObject({ code: 'invalid_value' });
  await host.approve('parrot', host.fingerprint('parrot'));
  expect(toolOf(host, 'parrot_echo').available).toBe(true);
});

test('hides the tools and closes the connection of a revoked module until it is approved again', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const module = await served({ name: 'parrot', tools: [ECHO] }, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await host.approve('parrot');
  const tool = toolOf(host, 'parrot_echo');
  expect(await host.revoke('parrot')).toMatchObject({ status: 'revoked', approved_at: null });
  expect(host.tools().tools).toEqual([]);
  expect(await tool.run({}, {} as never)).toMatchObject({ is_error: true });
  await until(() => module.connections.every(({ destroyed }) => destroyed));
  await host.stop();
  const next = await open();
  expect(statusOf(next, 'parrot')).toBe('revoked');
  expect(module.connections).toHaveLength(1);
  await next.approve('parrot');
  await until(() => statusOf(next, 'parrot') === 'up');
  await expect(next.approve('crow')).rejects.toMatchObject({ code: 'not_found' });
  await expect(next.revoke('crow')).rejects.toMatchObject({ code: 'not_found' });
});

test.each([
  [{ name: 'parrot', protocol: 2 }, 'it uses protocol version 2, but the kernel uses version 1'],
  [{ name: 'crow' }, 'it declares the name crow, but is configured as parrot'],
  [
    { name: 'parrot', tools: [{ name: 'no name', description: '' }] },
    /^its declaration is wrong: tools\.0\.name: /,
  ],
  [{ name: 'parrot', tools: [ECHO, ECHO] }, 'two of its tools have the same name'],
])('fails a module with a wrong declaration, with the reason: %o', async (declared, problem) => {
  const { socket_dir, host: open } = await hostTestbed();
  await served(declared, join(socket_dir, 'parrot.sock'));
  const host = await open();
  const [module] = host.modules();
  expect(module).toMatchObject({ status: 'failed', version: null });
  expect(module!.problem).toMatch(problem);
  // The module is updated and restarts.
  await served({ name: 'parrot' }, join(socket_dir, 'parrot.sock'));
  await until(() => statusOf(host, 'parrot') === 'pending');
});

test('[MOD-3] skips an invalid tool, and keeps the others', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  const tools = [
    ECHO,
    { name: 'text', description: '', input_schema: { type: 'string' } },
    { name: 'odd', description: '', input_schema: { type: 'object', properties: 7 } },
    { name: 'taken', description: '' },
    { name: 'b_c', description: '' },
  ];
  await served({ name: 'a', tools }, join(socket_dir, 'a.sock'));
  await served({ name: 'a_b', tools: [{ name: 'c', description: '' }] }, join(socket_dir, 'a_b.sock'));
  const describeOmitted = (tools: readonly string[]) => [`p/m does not get ${tools.join(' and ')}`];
  const host = await open({ reserved: new Set(['a_taken']), describeOmitted });
  await host.approve('a_b');
  await host.approve('a');
  expect(host.tools().tools.map(({ name, group }) => [name, group])).toEqual([
    ['a_echo', 'a'],
    ['a_b_c', 'a'],
  ]);
  const [a, ab] = host.modules();
  expect(a).toMatchObject({ status: 'up', tools: ['a_echo', 'a_b_c'], problem: null });
  expect(a!.problems).toEqual([
    expect.stringMatching(/^Skipped a_text: The input of a tool must be an object/),
    expect.stringMatching(/^Skipped a_odd: This is not a valid JSON Schema/),
    'Skipped a_taken: a tool with this name already exists',
    'p/m does not get a_echo and a_b_c',
  ]);
  expect(ab).toMatchObject({ status: 'up', tools: [] });
});

test('disconnects from a module that does not answer a ping, and reconnects', async () => {
  const clock = new ManualClock();
  const { socket_dir, host: open } = await hostTestbed(clock);
  const declared = { name: 'parrot', tools: [ECHO], mute: ['ping'] };
  const module = await served(declared, join(socket_dir, 'parrot.sock'));
  const host = await open();
  await host.approve('parrot');
  clock.advance(30_000);
  await until(() => module.speakers[0]!.heard.some(({ method }) => method === 'ping'));
  clock.advance(10_000);
  await until(() => statusOf(host, 'parrot') === 'down');
  expect(host.modules()[0]!.problem).toBe('it did not respond to a ping within 10 s');
  declared.mute = [];
  await until(() => clock.timers.size > 0);
  clock.advance(500);
  await until(() => statusOf(host, 'parrot') === 'up');
  clock.advance(30_000);
  await until(() => module.speakers[1]!.heard.some(({ method }) => method === 'ping'));
  await new Promise(resolve => setTimeout(resolve, 20));
  clock.advance(10_000);
  expect(statusOf(host, 'parrot')).toBe('up');
});

test('marks a module that never answers initialize as down', async () => {
  const clock = new ManualClock();
  const { socket_dir, host: open } = await hostTestbed(clock);
  const module = await served({ name: 'parrot', mute: ['initialize'] }, join(socket_dir, 'parrot.sock'));
  const starting = open();
  await until(() => module.speakers[0]?.heard.length === 1);
  clock.advance(3000);
  const host = await starting;
  expect(host.modules()[0]).toMatchObject({ status: 'down', problem: 'it is not connected yet' });
  await expect(host.approve('parrot')).rejects.toMatchObject({ code: 'module_down' });
  await until(() => module.speakers.length === 2);
  clock.advance(10_000);
  await until(() => host.modules()[0]!.problem === 'initialize failed: no answer came within 10 s');
});
