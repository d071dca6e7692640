import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import type { ModuleHost } from '../src/index.ts';
import { call, hostTestbed, runs, started, statusOf, until } from './test-host.ts';

const tool = (name: string) => ({ name, description: '' });

test('[MOD-2] starts a module of the settings without approval', async () => {
  const { logged, host: open } = await hostTestbed();
  const tools = [tool('environment'), tool('printed')];
  const host = await open({
    servers: { parrot: started({ name: 'parrot', tools }, { PARROT_KEY: 'seed' }) },
    environment: { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-secret', LC_ALL: 'C.UTF-8' },
  });
  await until(() => statusOf(host, 'parrot') === 'up');
  const environment = JSON.parse((await call(host, 'parrot_environment')).output);
  expect(environment).toMatchObject({ PARROT_KEY: 'seed', LC_ALL: 'C.UTF-8', PATH: process.env.PATH });
  expect(environment).not.toHaveProperty('OPENAI_API_KEY');
  await call(host, 'parrot_printed');
  const line = { level: 'debug', facts: { module: 'parrot' }, sentence: 'a word on stderr' };
  await until(() => logged.some(({ sentence }) => sentence === line.sentence));
  expect(logged).toContainEqual(line);
});

test('[MOD-8] restarts a module that exits, and reports its exit code', async () => {
  const { host: open } = await hostTestbed();
  const tools = [tool('die'), tool('printed')];
  const host = await open({ servers: { parrot: started({ name: 'parrot', tools }) } });
  await until(() => statusOf(host, 'parrot') === 'up');
  const before = (await call(host, 'parrot_printed')).output;
  expect(await call(host, 'parrot_die')).toMatchObject({ is_error: true });
  await until(() => statusOf(host, 'parrot') === 'down');
  expect(host.modules()[0]!.problem).toBe('the program ended with code 3');
  await until(() => statusOf(host, 'parrot') === 'up');
  expect((await call(host, 'parrot_printed')).output).not.toBe(before);
});

test('gives up a module that keeps exiting, and retries after an approval', async () => {
  const clock = new ManualClock();
  const { logged, host: open } = await hostTestbed(clock);
  const starting = open({ servers: { crow: { command: '/bin/sh', args: ['-c', 'exit 4'] } } });
  const crow = () => host?.modules()[0];
  let host: ModuleHost | undefined;
  starting.then(opened => {
    host = opened;
  });
  const passing = (status: string) => () => {
    clock.advance(50);
    return crow()?.status === status;
  };
  await until(passing('failed'));
  const problem =
    'it ended 5 times within a minute and is no longer restarted automatically: the program ended with code 4';
  expect(crow()).toMatchObject({ version: null, source: 'settings', problem });
  expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1);
  clock.advance(600_000);
  expect(crow()!.status).toBe('failed');
  await host!.approve('crow');
  await until(passing('down'));
  expect(crow()!.problem).toBe('the program ended with code 4');
});

test('stops a revoked module of the settings, and starts it only after an approval', async () => {
  const { host: open } = await hostTestbed();
  const servers = { parrot: started({ name: 'parrot', tools: [tool('printed')] }) };
  const host = await open({ servers });
  const pid = Number((await call(host, 'parrot_printed')).output);
  expect(await host.revoke('parrot')).toMatchObject({
    status: 'revoked',
    problem: 'its approval was revoked',
  });
  expect(runs(pid)).toBe(false);
  await host.stop();
  const next = await open({ servers });
  expect(next.modules()).toMatchObject([{ status: 'revoked', approved_at: null }]);
  await next.approve('parrot');
  await until(() => statusOf(next, 'parrot') === 'up');
  expect(next.modules()[0]!.approved_at).not.toBeNull();
});

test('stops a module that hangs and restarts it', async () => {
  const clock = new ManualClock();
  const { host: open } = await hostTestbed(clock);
  const host = await open({ servers: { parrot: started({ name: 'parrot', tools: [tool('printed')] }) } });
  const pid = Number((await call(host, 'parrot_printed')).output);
  process.kill(pid, 'SIGSTOP');
  clock.advance(30_000);
  clock.advance(10_000);
  await until(() => statusOf(host, 'parrot') === 'down');
  expect(host.modules()[0]!.problem).toBe('it did not respond to a ping within 10 s');
  expect(runs(pid)).toBe(false);
  clock.advance(500);
  await until(() => statusOf(host, 'parrot') === 'up');
});

test('reports a missing program, and an entry without socket and command', async () => {
  const { host: open } = await hostTestbed();
  const host = await open({
    servers: {
      a: { command: '/no/such/program' },
      b: {},
      c: { command: 'x', socket: 'y' },
      mcp_d: { command: 'x' },
    },
  });
  await until(() => host.modules()[0]!.problem?.includes('127') === true);
  expect(host.modules().map(({ name, status, problem }) => [name, status, problem])).toEqual([
    ['a', 'down', 'the program ended with code 127: /no/such/program was not found'],
    ['b', 'failed', 'its entry has neither a socket nor a command'],
    ['c', 'failed', 'its entry has both a socket and a command'],
    ['mcp_d', 'failed', 'names that start with mcp_ are reserved for MCP servers'],
  ]);
});

test('kills an unresponsive module and all its children when the host stops', async () => {
  const { host: open } = await hostTestbed();
  const host = await open({
    servers: { parrot: started({ name: 'parrot', tools: [tool('child')], rude: true }) },
  });
  await until(() => statusOf(host, 'parrot') === 'up');
  const pids = (await call(host, 'parrot_child')).output.split(' ').map(Number);
  expect(pids.every(runs)).toBe(true);
  await host.stop();
  await until(() => !pids.some(runs));
});

test('leaves no child processes of a crashed module', async () => {
  const { host: open } = await hostTestbed();
  const host = await open({ servers: { parrot: started({ name: 'parrot', tools: [tool('child')] }) } });
  await until(() => statusOf(host, 'parrot') === 'up');
  const pids = (await call(host, 'parrot_child')).output.split(' ').map(Number);
  process.kill(pids[0]!, 'SIGKILL');
  await until(() => !pids.some(runs));
  await until(() => statusOf(host, 'parrot') === 'up');
});
