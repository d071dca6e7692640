/**
 * Tests which machine a turn may use, and what the user's approval covers: no machine, the kernel's own, a client's.
 */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approve } from '@chat-kernel/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { OFFERED } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { namesIn } from '../harness/modules.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';

const kernel = sharedKernel();

let workdir: string;
beforeEach(() => {
  workdir = realpathSync(directoryOfTest());
});

const lastRequest = () => kernel.upstream.requests.at(-1);
const told = (): string => JSON.stringify(lastRequest()?.body);

describe('machine: none', () => {
  const none = { machine: 'none' } as const;

  test('[WHO-5] offers no tool that touches a machine, leaves out the project, and keeps the other tools', async () => {
    const { client } = kernel;
    writeFileSync(join(workdir, 'AGENTS.md'), 'SECRET-PROJECT');
    const chat = await client.createChat({ workdir, workdir_on: 'server' });
    await client.say(chat.id, 'Hi.');
    const all = namesIn(lastRequest());
    expect(told()).toContain('SECRET-PROJECT');
    await client.say(chat.id, 'Hi.', none);
    const left = all.filter(name => !['edit_file', 'shell', 'workdir', 'write_file'].includes(name));
    expect(namesIn(lastRequest())).toEqual(left);
    expect(told()).not.toContain('SECRET-PROJECT');
    expect(told()).not.toContain('[project]');
    await client.say(chat.id, 'Hi.', { machine: 'auto' });
    expect(namesIn(lastRequest())).toEqual(all);
  });

  test('[WHO-5] sends no operation and no file to a client with hands', async () => {
    const { client } = kernel;
    const chat = await client.createChat({ workdir });
    const file = (await kernel.api.raw('/v1/files', { method: 'POST', body: 'one' })).body;
    const turn = {
      ...none,
      client_ops: true,
      project_docs: true,
      client_id: 'laptop',
      files: [{ id: file.id }],
    };
    const events = await client.say(chat.id, 'Read it.', turn);
    expect(eventsOf(events, 'client_op')).toEqual([]);
    expect(namesIn(lastRequest())).not.toContain('shell');
    expect(told()).toContain(`readable at file:${file.id}`);
  });

  test('[WHO-5] reads only uploads, and rejects calls of any other machine tool', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat({ workdir, workdir_on: 'server' });
    writeFileSync(join(workdir, 'a.txt'), 'SECRET');
    const file = (await kernel.api.raw('/v1/files', { method: 'POST', body: 'one\ntwo' })).body;
    const read = (path: string) => ({ call: { id: path, name: 'read_file', input: { files: [{ path }] } } });
    upstream.next(
      {
        steps: [
          read(`file:${file.id}`),
          read(join(workdir, 'a.txt')),
          { call: { id: 's', name: 'shell', input: { commands: [`touch ${workdir}/made`] } } },
        ],
      },
      says('Done.'),
    );
    const events = await client.say(chat.id, 'Go.', { ...none, files: [{ id: file.id }] });
    const results = new Map(eventsOf(events, 'tool_result').map(({ id, output }) => [id, output]));
    expect(results.get(`file:${file.id}`)).toBe(`== file:${file.id}\none\ntwo`);
    expect(results.get(join(workdir, 'a.txt'))).toContain('Only attached files can be read');
    expect(results.get('s')).toContain('There is no tool shell.');
    expect(existsSync(join(workdir, 'made'))).toBe(false);
  });
});

describe('consent: ask', () => {
  const MADE = { command: 'echo made > made; cat made' };
  const changes = () => ({
    steps: [
      { call: { id: 's', name: 'shell', input: { commands: [MADE.command] } } },
      { call: { id: 'w', name: 'write_file', input: { path: 'w.txt', content: 'new' } } },
      { call: { id: 'e', name: 'edit_file', input: { path: 'e.txt', old: 'old', new: 'new' } } },
      { call: { id: 'r', name: 'read_file', input: { files: [{ path: 'e.txt' }] } } },
    ],
  });
  const newChat = async (consent: 'ask' | 'auto' = 'ask') =>
    (await kernel.client.createChat({ workdir, workdir_on: 'server', consent })).id;

  /** A turn of a client without hands, whose user decides. */
  async function turn(chat: string, decision: string, more: object = {}) {
    const stream = await kernel.client.begin(chat, { text: 'Go.' }, event => {
      if (event.type === 'consent_request')
        void kernel.client.answerRequest(chat, { id: event.id, decision, ...more });
    });
    return stream.all();
  }

  test("[WHO-6] asks before each change of the kernel's machine, and not before reads", async () => {
    const { upstream } = kernel;
    writeFileSync(join(workdir, 'e.txt'), 'old words');
    upstream.next(changes(), says('Done.'));
    const events = await turn(await newChat(), 'allow');
    const asked = eventsOf(events, 'consent_request').toSorted((a, b) => (a.action < b.action ? -1 : 1));
    const decisions = expect.arrayContaining(OFFERED);
    expect(asked).toMatchObject([
      { action: 'shell', hands: null, sandbox: 'none', decisions, command: MADE.command, workdir },
      { action: 'write', hands: null, sandbox: 'none', decisions },
      { action: 'write', hands: null, sandbox: 'none', decisions },
    ]);
    expect(
      asked
        .slice(1)
        .map(({ path, content }) => [path, content])
        .toSorted(),
    ).toEqual([
      [join(workdir, 'e.txt'), 'new words'],
      [join(workdir, 'w.txt'), 'new'],
    ]);
    expect(asked.some(event => 'client_id' in event)).toBe(false);
    expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual(Array(4).fill(false));
    expect(['made', 'w.txt', 'e.txt'].map(name => readFileSync(join(workdir, name), 'utf8'))).toEqual([
      'made\n',
      'new',
      'new words',
    ]);
  });

  test('[WHO-6] [OP-5] skips a denied change, and reports that to the model', async () => {
    const { upstream } = kernel;
    writeFileSync(join(workdir, 'e.txt'), 'old words');
    upstream.next(changes(), says('Well.'));
    const events = await turn(await newChat(), 'deny');
    const results = new Map(eventsOf(events, 'tool_result').map(result => [result.id, result]));
    expect(results.get('s')).toMatchObject({ is_error: true });
    expect(results.get('s')?.output).toContain('The user declined this operation.');
    expect(results.get('w')).toMatchObject({ is_error: true, output: 'The user declined this operation.' });
    expect(results.get('e')).toMatchObject({ is_error: true, output: 'The user declined this operation.' });
    expect(existsSync(join(workdir, 'made'))).toBe(false);
    expect(existsSync(join(workdir, 'w.txt'))).toBe(false);
    expect(readFileSync(join(workdir, 'e.txt'), 'utf8')).toBe('old words');
  });

  test('[WHO-6] [OP-14] limits a lasting permission to this chat and directory', async () => {
    const { client, upstream } = kernel;
    const chat = await newChat();
    const write = () => calls('w', 'write_file', { path: 'w.txt', content: 'new' });
    const asks = async (id: string) => {
      upstream.next(write(), says('Done.'));
      return eventsOf(await turn(id, 'allow_always'), 'consent_request').length;
    };
    expect([await asks(chat), await asks(chat), await asks(await newChat())]).toEqual([1, 0, 1]);
    const { approvals } = await client.listApprovals();
    expect(approvals.find(({ chat_id }) => chat_id === chat)).toMatchObject({
      action: 'write',
      decision: 'allow_always',
      workdir,
      workdir_on: 'server',
    });
    await client.setWorkdir(chat, { workdir: realpathSync(directoryOfTest()), workdir_on: 'server' });
    expect(await asks(chat)).toBe(1);
  });
});

describe('a grant', () => {
  const RUN = ['shell', { commands: ['true'] }] as const;

  /** Runs a turn of this terminal; returns for each operation whether the kernel asked for a decision. */
  async function turn(terminal: Terminal, chat: string, call: readonly [string, object] = RUN) {
    kernel.upstream.next(calls('c', call[0], { ...call[1] }), says('Done.'));
    const events = await terminal.turn(chat, { text: 'Go.' });
    return eventsOf(events, 'client_op').map(({ decisions }) => decisions !== undefined);
  }
  const terminalOf = (client_id: string, approve: Approve = () => 'allow_always') =>
    new Terminal(kernel.client, { directory: workdir, client_id, approve });

  test('[HANDS-6] covers the client that it was given for, and names client and directory in its label', async () => {
    const chat = (await kernel.client.createChat({ workdir })).id;
    expect(await turn(terminalOf('one'), chat)).toEqual([true]);
    expect(await turn(terminalOf('one'), chat)).toEqual([false]);
    expect(await turn(terminalOf('two'), chat)).toEqual([true]);
    const { approvals } = await kernel.client.listApprovals();
    expect(approvals.filter(({ chat_id }) => chat_id === chat)).toMatchObject([
      { action: 'shell', command: 'true', client_id: 'one', workdir, workdir_on: 'client' },
      { action: 'shell', command: 'true', client_id: 'two', workdir, workdir_on: 'client' },
    ]);
  });

  test('[HANDS-6] does not apply after the model changes the directory', async () => {
    const chat = (await kernel.client.createChat({ workdir })).id;
    expect(await turn(terminalOf('one'), chat)).toEqual([true]);
    await kernel.client.setWorkdir(chat, { workdir: join(workdir, '..'), workdir_on: 'client' });
    expect(await turn(terminalOf('one'), chat)).toEqual([true]);
    await kernel.client.setWorkdir(chat, { workdir, workdir_on: 'client' });
    expect(await turn(terminalOf('one'), chat)).toEqual([false]);
  });

  test("[HANDS-6] runs nothing on the user's machine if another API client gave it", async () => {
    const { client, upstream } = kernel;
    const chat = (await client.createChat({ workdir })).id;
    // Another program with access to the API responds instead of the terminal, under its name.
    upstream.next(calls('c', ...RUN), says('Done.'));
    const stream = await client.begin(chat, { text: 'Go.', client_ops: true, client_id: 'one' }, event => {
      if (event.type === 'client_op') {
        void client.answerRequest(chat, { id: event.id, decision: 'allow_always', result: '' });
      }
    });
    await stream.all();
    const decided: string[] = [];
    const terminal = terminalOf('one', ({ action, decisions }) => {
      decided.push(`${action} ${decisions?.join(' ')}`);
      return 'deny';
    });
    expect(await turn(terminal, chat)).toEqual([false]);
    expect(decided).toEqual([`shell ${OFFERED.join(' ')}`]);
    expect(terminal.done).toEqual([]);
    const results = upstream.requests
      .at(-1)
      ?.body.messages.filter(({ role }: { role: string }) => role === 'tool');
    expect(results.at(-1).content).toContain('The user declined this operation.');
  });

  test('[HANDS-6] does not match a terminal if the operation has no client id', async () => {
    const { client, upstream } = kernel;
    const chat = (await client.createChat({ workdir })).id;
    const terminal = terminalOf('one');
    const watching = await terminal.watch(chat);
    upstream.next(calls('c', ...RUN), says('Done.'));
    const stream = await client.begin(chat, { text: 'Go.', client_ops: true });
    const { id } = await stream.until('client_op');
    await client.answerRequest(chat, { id, result: 'mine', decision: 'allow' });
    await stream.all();
    await terminal.idle();
    watching.hangUp();
    expect(terminal.done).toEqual([]);
  });
});
