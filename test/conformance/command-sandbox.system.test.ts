/** Tests how requests for consent name the sandbox of commands, and how a command leaves it (CONSENT-9). */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { kernelOf, sharedKernel } from '../harness/shared-kernel.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const kernel = sharedKernel();

/** Starts a turn whose model makes one call on a machine; returns the request for consent. */
async function askOn(name: string, tool: string, input: object) {
  const { id } = await kernel.client.createChat({});
  await kernel.client.setWorkdir(id, { workdir: '/garden', workdir_on: 'client', hands: name });
  kernel.upstream.next(calls('c', tool, { ...input }), says('Done.'));
  const turn = await kernel.client.begin(id, { text: 'Go.', consents: true });
  const asked = await turn.until('consent_request');
  await kernel.client.answerRequest(id, { id: asked.id, decision: 'deny' });
  await turn.all();
  return asked;
}

test.each([
  ['bwrap', 'bwrap'],
  ['none', 'none'],
  [undefined, undefined],
])('[CONSENT-9] a request for a command names the sandbox that its machine reports: %s', async (given, shown) => {
  const name = `laptop ${given}`;
  const machine = await StandingBy.open(kernel.api, name, { ...(given !== undefined && { sandbox: given }) });
  machine.findNone().catch(() => {});
  expect((await askOn(name, 'shell', { commands: ['npm test'] })).sandbox).toBe(shown);
  // Files are confined by the directories of the machine, not by the sandbox.
  expect(await askOn(name, 'write_file', { path: 'a.txt', content: 'x' })).not.toHaveProperty('sandbox');
  machine.leave();
});

test('[CONSENT-9] a machine reports a known sandbox or none', async () => {
  const { status, body } = await kernel.api.get('/v1/hands/live?client_id=a&name=a&sandbox=strong');
  expect([status, body.code]).toEqual([400, 'invalid_value']);
});

const bubblewrapWorks = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', 'true']).status === 0;
const WHY = 'It needs the Docker socket.';

test('[CONSENT-9] a command outside of the sandbox asks on a machine, and only a prefix covers it', async () => {
  const { client, upstream } = kernel;
  const machine = await StandingBy.open(kernel.api, 'tower', { sandbox: 'bwrap' });
  machine.findNone().catch(() => {});
  const { id } = await client.createChat({ consent: 'never' });
  await client.setWorkdir(id, { workdir: '/garden', workdir_on: 'client', hands: 'tower' });

  /** Runs a command; returns the request for consent, if there is one, and the operation of the machine. */
  const run = async (command: string, exceptions: object, answer: object) => {
    upstream.next(calls('c', 'shell', { commands: [command], ...exceptions }), says('Done.'));
    const turn = await client.begin(id, { text: 'Go.', consents: true });
    const executed = machine.stream.until(
      event => event.type === 'client_op' && event.action === 'shell' && event.turn_id === turn.turnId,
    );
    const answered = executed.then(event =>
      machine.answer(event as never, { result: { output: 'ok', exit_code: 0 } }),
    );
    answered.catch(() => {});
    const first = await Promise.race([turn.until('consent_request'), turn.until('done')]);
    if (first.type === 'consent_request') await client.answerRequest(id, { id: first.id, ...answer });
    await turn.all();
    return { asked: first.type === 'consent_request' ? first : null, executed };
  };

  await run('make test', {}, { decision: 'allow_session' });
  expect((await run('make test', {}, {})).asked).toBeNull();
  const outside = { outside_sandbox: WHY };
  const { asked, executed } = await run('make test', outside, {
    decision: 'allow_prefix',
    prefix: 'make test',
  });
  expect(asked).toMatchObject({
    ...{ action: 'shell', command: 'make test', outside_sandbox: WHY, sandbox: 'none' },
    ...{
      reason: 'This command is to run outside of the sandbox.',
      decisions: ['allow', 'allow_prefix', 'deny'],
    },
  });
  expect(await executed).toMatchObject({ command: 'make test', outside_sandbox: WHY });
  expect((await run('make test', outside, {})).asked).toBeNull();
  expect((await run('make lint', outside, { decision: 'deny' })).asked).not.toBeNull();
  const { approvals } = await client.listApprovals();
  expect(approvals.find(({ prefix }) => prefix === 'make test')).toMatchObject({ target: 'outside_sandbox' });
  machine.leave();
});

test.runIf(bubblewrapWorks)(
  '[CONSENT-9] a command outside of the sandbox asks on the server, and runs if allowed',
  async () => {
    const { client, upstream } = await kernelOf({
      settings: { tools: { shell: { sandbox: 'bwrap' } } },
    });
    const home = realpathSync(directoryOfTest());
    const workdir = join(home, 'project');
    mkdirSync(workdir);
    const { id } = await client.createChat({ workdir, workdir_on: 'server', consent: 'never' });
    const run = async (name: string, exceptions: object, decision: string) => {
      upstream.next(calls('c', 'shell', { commands: [`touch ../${name}`], ...exceptions }), says('Done.'));
      const turn = await client.begin(id, { text: 'Go.', consents: true }, event => {
        if (event.type === 'consent_request') void client.answerRequest(id, { id: event.id, decision });
      });
      const [asked] = eventsOf(await turn.all(), 'consent_request');
      return [asked?.sandbox, asked?.outside_sandbox, existsSync(join(home, name))];
    };
    expect(await run('a', {}, 'deny')).toEqual([undefined, undefined, false]);
    expect(await run('b', { outside_sandbox: WHY }, 'deny')).toEqual(['none', WHY, false]);
    expect(await run('c', { outside_sandbox: WHY }, 'allow')).toEqual(['none', WHY, true]);
  },
);

test.each([
  ['auto', 'This command may change protected paths, such as AGENTS.md and .vscode, which can run programs.'],
  ['never', undefined],
] as const)('[CONSENT-6] a command that may change protected paths asks in a chat with the consent %s', async (consent, reason) => {
  const { client, upstream } = kernel;
  const { id } = await client.createChat({
    workdir: realpathSync(directoryOfTest()),
    workdir_on: 'server',
    consent,
  });
  const run = async (exceptions: object, decision: string) => {
    upstream.next(calls('c', 'shell', { commands: ['true'], ...exceptions }), says('Done.'));
    const turn = await client.begin(id, { text: 'Go.', consents: true }, event => {
      if (event.type === 'consent_request') void client.answerRequest(id, { id: event.id, decision });
    });
    const [asked] = eventsOf(await turn.all(), 'consent_request');
    return [asked?.reason, asked?.protected];
  };
  expect(await run({ protected: false }, 'deny')).toEqual([undefined, undefined]);
  expect(await run({ protected: true }, 'allow')).toEqual(reason ? [reason, true] : [undefined, undefined]);
  expect(await run({ protected: true }, 'allow_session')).toEqual(
    reason ? [reason, true] : [undefined, undefined],
  );
  expect(await run({ protected: true }, 'deny')).toEqual([undefined, undefined]);
});

test.runIf(bubblewrapWorks)(
  '[CONSENT-9] commands write copies of caches, one for each working directory',
  async () => {
    const cache = join(realpathSync(directoryOfTest()), 'cache');
    mkdirSync(cache);
    writeFileSync(join(cache, 'package'), 'stored');
    writeFileSync(join(cache, '.env'), 'hidden');
    const shell = { sandbox: 'bwrap' as const, cache_dirs: [cache, join(cache, 'missing')] };
    const { client, upstream } = await kernelOf({ settings: { tools: { shell } } });
    const run = async (workdir: string, command: string) => {
      const { id } = await client.createChat({ workdir, workdir_on: 'server' });
      upstream.next(calls('c', 'shell', { commands: [command] }), says('Done.'));
      const turn = await client.begin(id, { text: 'Go.' });
      const [result] = eventsOf(await turn.all(), 'tool_result');
      return result?.output.split('\n').slice(1).join(' ');
    };
    const [first, second] = [realpathSync(directoryOfTest()), realpathSync(directoryOfTest())];
    expect(await run(first, `cd ${cache} && cat package && echo x > new && ls`)).toBe('storednew package');
    expect(await run(first, `ls ${cache}`)).toBe('new package');
    expect(await run(second, `ls ${cache}`)).toBe('package');
    expect(readdirSync(cache).sort()).toEqual(['.env', 'package']);
  },
);
