/** Tests the stages of turns, run by modules (MOD-7). */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import type { ModuleHost } from '../src/index.ts';
import type { Declared } from './fixtures/speak.ts';
import { hostTestbed, MASTER, type Served, served, statusOf, until } from './test-host.ts';

const open_signal = new AbortController().signal;
const MESSAGE = { text: 'hello', sender: '', attachments: [] };

async function hosting(
  modules: Record<string, Pick<Declared, 'stages' | 'answers'>>,
  clock?: ManualClock,
): Promise<{
  host: ModuleHost;
  served: Record<string, Served>;
  logged: { facts: object; sentence: string }[];
}> {
  const { socket_dir, host: open, logged } = await hostTestbed(clock);
  const all: Record<string, Served> = {};
  for (const [name, declared] of Object.entries(modules)) {
    all[name] = await served({ name, ...declared }, join(socket_dir, `${name}.sock`));
  }
  const host = await open();
  for (const name of Object.keys(modules)) await host.approve(name);
  return { host, served: all, logged };
}

test('[MOD-7] calls no module for a stage without approved modules', async () => {
  const { socket_dir, host: open } = await hostTestbed();
  await served({ name: 'a', stages: [{ stage: 'message' }] }, join(socket_dir, 'a.sock'));
  const host = await open();
  expect(host.stages.has('message')).toBe(false);
  await host.approve('a');
  expect(host.stages.has('message')).toBe(true);
  expect(host.stages.has('prompt')).toBe(false);
});

test('[MOD-7] passes the message from module to module, and lets each change only its text', async () => {
  const {
    host,
    served: all,
    logged,
  } = await hosting({
    b: { stages: [{ stage: 'message' }], answers: { message: { action: 'pass' } } },
    a: {
      stages: [{ stage: 'message' }],
      answers: { message: { action: 'replace', payload: { text: 'HELLO', sender: 'somebody else' } } },
    },
  });
  const verdict = await host.stages.run('message', { ...MESSAGE, sender: 'Eve' }, MASTER, open_signal);
  const changed = { text: 'HELLO', sender: 'Eve', attachments: [] };
  expect(verdict).toEqual({ payload: changed });
  const { params } = all.b!.speakers[0]!.heard.at(-1)!;
  expect(params).toEqual({ stage: 'message', payload: changed, context: MASTER });
  const stepped = logged.filter(({ sentence }) => sentence === 'a module changed or blocked a turn');
  expect(stepped.map(({ facts }) => facts)).toEqual([{ module: 'a', stage: 'message', action: 'replace' }]);
  expect(JSON.stringify(logged)).not.toContain('HELLO');
});

test('[MOD-7] stops at the first module that blocks, with its reason', async () => {
  const { host, served: all } = await hosting({
    a: { stages: [{ stage: 'tool_call' }], answers: { tool_call: { action: 'block', reason: 'not today' } } },
    b: { stages: [{ stage: 'tool_call' }] },
  });
  const payload = { name: 'shell', input: { commands: ['ls'] } };
  expect(await host.stages.run('tool_call', payload, MASTER, open_signal)).toEqual({
    blocked: { by: 'a', reason: 'not today' },
  });
  expect(all.b!.speakers[0]!.heard.map(({ method }) => method)).toEqual(['initialize']);
});

test('[MOD-7] keeps the name of a tool, and allows replacing its input and output', async () => {
  const { host } = await hosting({
    a: {
      stages: [{ stage: 'tool_call' }, { stage: 'tool_result' }],
      answers: {
        tool_call: { action: 'replace', payload: { name: 'shell', input: { n: 2 } } },
        tool_result: { action: 'replace', payload: { name: 'x', output: 'clean', is_error: true } },
      },
    },
  });
  expect(await host.stages.run('tool_call', { name: 'echo', input: { n: 1 } }, MASTER, open_signal)).toEqual({
    payload: { name: 'echo', input: { n: 2 } },
  });
  const result = { name: 'echo', output: 'dirty', is_error: false };
  expect(await host.stages.run('tool_result', result, MASTER, open_signal)).toEqual({
    payload: { name: 'echo', output: 'clean', is_error: true },
  });
});

test('[MOD-7] appends the prompt additions of all modules, and lets none remove those of others', async () => {
  const adds = (fragment: string) => ({
    stages: [{ stage: 'prompt' }],
    answers: { prompt: { action: 'replace', payload: { fragments: [fragment] } } },
  });
  const { host, served: all } = await hosting({ a: adds('from a'), b: adds('from b') });
  expect(await host.stages.run('prompt', { fragments: [] }, MASTER, open_signal)).toEqual({
    payload: { fragments: ['from a', 'from b'] },
  });
  expect(all.b!.speakers[0]!.heard.at(-1)!.params.payload).toEqual({ fragments: [] });
});

test.each([
  ['an unknown action', 'message', { action: 'maybe' }],
  ['a payload of the wrong shape', 'message', { action: 'replace', payload: { text: 7 } }],
  ['a replacement without a payload', 'message', { action: 'replace' }],
  ['a block in a stage that cannot block', 'tool_result', { action: 'block', reason: 'x' }],
] as const)('[MOD-7] treats %s as an error, and handles it by on_error', async (_, stage, answer) => {
  const answers = { [stage]: answer };
  const { host } = await hosting({
    passes: { stages: [{ stage, on_error: 'pass' }], answers },
    stops: { stages: [{ stage, on_error: 'block' }], answers },
  });
  const payload = stage === 'message' ? MESSAGE : { name: 'x', output: 'y', is_error: false };
  expect(await host.stages.run(stage, payload as never, MASTER, open_signal)).toEqual({
    blocked: { by: 'stops', reason: `The stage ${stage} of the module stops failed.` },
  });
  await host.revoke('stops');
  expect(await host.stages.run(stage, payload as never, MASTER, open_signal)).toEqual({ payload });
});

test('[MOD-7] fails a stage that takes too long', async () => {
  const clock = new ManualClock();
  const { host, served: all } = await hosting(
    {
      a: { stages: [{ stage: 'message' }], answers: { message: 'hang' } },
      b: { stages: [{ stage: 'message', on_error: 'block', timeout_secs: 2 }], answers: { message: 'hang' } },
    },
    clock,
  );
  const asked = (name: string) => all[name]!.speakers[0]!.heard.some(({ method }) => method === 'stage');
  const running = host.stages.run('message', MESSAGE, MASTER, open_signal);
  await until(() => asked('a'));
  clock.advance(9999);
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(asked('b')).toBe(false);
  clock.advance(1);
  await until(() => asked('b'));
  clock.advance(2000);
  expect(await running).toMatchObject({ blocked: { by: 'b' } });
});

test('[MOD-7] blocks or skips a stage of a module that is down, as declared', async () => {
  const { host, served: all } = await hosting({
    a: { stages: [{ stage: 'message' }] },
    b: { stages: [{ stage: 'tool_call', on_error: 'block' }] },
  });
  for (const { close } of Object.values(all)) close();
  await until(() => statusOf(host, 'a') === 'down' && statusOf(host, 'b') === 'down');
  expect(await host.stages.run('message', MESSAGE, MASTER, open_signal)).toEqual({ payload: MESSAGE });
  expect(await host.stages.run('tool_call', { name: 'x', input: {} }, MASTER, open_signal)).toMatchObject({
    blocked: { by: 'b' },
  });
});

test('[MOD-7] notifies observers of the end of a turn, without waiting for them', async () => {
  const { host, served: all } = await hosting({
    a: { stages: [{ stage: 'turn_done', on_error: 'block' }], answers: { turn_done: 'hang' } },
    b: { stages: [{ stage: 'turn_done' }], answers: { turn_done: { action: 'block' } } },
  });
  const payload = { turn_id: MASTER.chat_id, status: 'completed', text: 'bye' } as const;
  const over = AbortSignal.abort(new Error('the turn is over'));
  expect(await host.stages.run('turn_done', payload, MASTER, over)).toEqual({ payload });
  for (const { speakers } of Object.values(all)) {
    await until(() => speakers[0]!.heard.some(({ method }) => method === 'stage'));
  }
});

test('[MOD-7] does not wait for a stage when the turn ends', async () => {
  const { host, served: all } = await hosting({
    a: { stages: [{ stage: 'message', on_error: 'block' }], answers: { message: 'hang' } },
  });
  const stop = new AbortController();
  const running = host.stages.run('message', MESSAGE, MASTER, stop.signal);
  await until(() => all.a!.speakers[0]!.heard.some(({ method }) => method === 'stage'));
  stop.abort(new Error('cancelled'));
  await expect(running).rejects.toThrow('cancelled');
});
