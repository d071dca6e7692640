/**
 * Tests decisions that cover more than one operation: the prefix of a command, and edits below the working directory.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DECISION_FACTS, type Event, isEditBelow, prefixWords } from '@chat-kernel/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OFFERED, OFFERED_EDIT, OFFERED_PREFIX, PINNED_DECISIONS } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  // An edit that can be undone runs git.
  kernel = await startKernel({ settings: { tools: { undo: false } } });
});
afterAll(() => kernel.stop());

let workdir: string;
beforeEach(() => {
  workdir = realpathSync(directoryOfTest());
});

type Call = readonly [string, object];
const shell = (command: string): Call => ['shell', { commands: [command] }];
const write = (path: string): Call => ['write_file', { path, content: 'x' }];

/** Responds to each operation of a turn that needs a decision, and returns what was offered; null: no request. */
async function turn(
  chat: string,
  made: Call,
  answer: object,
  fields: object = {},
): Promise<(string[] | null)[]> {
  const { client, upstream } = kernel;
  const offered: (string[] | null)[] = [];
  const own = 'client_ops' in fields;
  upstream.next(calls('c', made[0], { ...made[1] }));
  const stream = await client.begin(chat, { text: 'Go.', ...fields }, (event: Event) => {
    if (event.type !== 'client_op' && event.type !== 'consent_request') return;
    offered.push(event.decisions ?? null);
    const decision = event.decisions ? answer : {};
    void client.answerRequest(chat, { id: event.id, ...(own && { result: 'ok' }), ...decision });
  });
  await stream.all();
  return offered;
}
const OWN = { client_ops: true, client_id: 'terminal' };
const grants = async (chat: string) =>
  (await kernel.client.listApprovals()).approvals.filter(({ chat_id }) => chat_id === chat);

describe.each([
  ['of a client', { workdir_on: 'client' }, OWN, 'client_op'],
  ['of the kernel', { workdir_on: 'server', consent: 'ask' }, {}, 'consent_request'],
] as const)('on the machine %s', (_, place, fields, type) => {
  const newChat = async () => (await kernel.client.createChat({ ...place, workdir })).id;

  test('[HANDS-7] rejects an invalid prefix, and keeps the request open', async () => {
    const chat = await newChat();
    const { api, client, upstream } = kernel;
    upstream.next(calls('c', ...(shell('echo one "two three"') as [string, Record<string, unknown>])));
    const stream = await client.begin(chat, { text: 'Go.', ...fields });
    const { id } = await stream.until(type);
    for (const prefix of [
      undefined,
      '',
      ' ',
      'ech',
      'echo on',
      'one',
      'echo one "two',
      'echo one "two three"',
      'echo one two',
    ]) {
      const answer = { id, decision: 'allow_prefix', prefix, result: 'x' };
      expect(await api.post(`/v1/chats/${chat}/ops/result`, answer)).toMatchObject({
        status: 400,
        body: { code: 'invalid_value', errors: [{ pointer: '/prefix' }] },
      });
    }
    expect((await client.listRequests({ chat_id: chat })).requests).toMatchObject([{ id }]);
    await client.answerRequest(chat, { id, decision: 'deny' });
    await stream.all();
    expect(await grants(chat)).toEqual([]);
  });

  test('[HANDS-7] allow_edits covers writes below the directory, except for git and the shell, and nothing else', async () => {
    mkdirSync(join(workdir, '.git'));
    const chat = await newChat();
    expect(await turn(chat, write('src/a.txt'), { decision: 'allow_edits' }, fields)).toEqual([OFFERED_EDIT]);
    expect(await grants(chat)).toMatchObject([{ action: 'write', decision: 'allow_edits', workdir }]);
    const asked = async (made: Call) => (await turn(chat, made, { decision: 'deny' }, fields))[0] ?? null;
    expect(await asked(write('b.txt'))).toBeNull();
    expect(await asked(write(join(workdir, 'deep', 'c.txt')))).toBeNull();
    for (const path of ['../out.txt', '.git/hooks/pre-commit', '.bashrc', 'sub/.zshrc', '/tmp/x/y.txt']) {
      expect(await asked(write(path))).toEqual(OFFERED);
    }
    expect(await asked(shell('true'))).toEqual(OFFERED_PREFIX);
  });

  test('[HANDS-7] deny passes the reason of the user to the model', async () => {
    const chat = await newChat();
    await turn(chat, shell('true'), { decision: 'deny', error: 'Ask me tomorrow.' }, fields);
    expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain(
      'The user declined this operation. They said: Ask me tomorrow.',
    );
  });
});

test('[HANDS-7] each decision has the end and the reach that is pinned here', () => {
  const facts = Object.entries(DECISION_FACTS).map(([name, { lasts, reach }]) => [name, { lasts, reach }]);
  expect(facts).toEqual(Object.entries(PINNED_DECISIONS));
});

test('[HANDS-7] keeps lasting decisions over a restart, and asks again after a revocation', async () => {
  const chat = (await kernel.client.createChat({ workdir })).id;
  await turn(chat, shell('echo one'), { decision: 'allow_prefix', prefix: 'echo' }, OWN);
  const [grant] = await grants(chat);
  await kernel.client.revokeApproval(grant!.id);
  expect(await turn(chat, shell('echo one'), { decision: 'deny' }, OWN)).toEqual([OFFERED_PREFIX]);
});

test.each([
  ['npm run build', ['npm', 'run', 'build']],
  ['git commit -m "fix it"', ['git', 'commit', '-m']],
  ['npm test && rm -rf /', []],
  ['A=b npm test', []],
  ['npm test &', []],
  ['npm test\trun', ['npm', 'test', 'run']],
  ['npm\u00a0test', ['npm\u00a0test']],
  ['npm test\u2028rm', []],
  ['npm \u202etset', []],
  ['ls *.ts', ['ls', '*.ts']],
  ['ls {a,b}', []],
  ['! true', []],
  ['"npm" test', []],
  ['', []],
])('[HANDS-7] splits a command into the words of its prefix: %j', (command, words) => {
  expect(prefixWords(command)).toEqual(words);
});

test.each([
  ['/garden', '/garden/a', true],
  ['/garden', '/garden', false],
  ['/garden', '/gardener/a', false],
  ['/garden', '/garden/../etc/a', false],
  ['/garden', '/garden/.git/config', false],
  ['/garden', '/garden/sub/.GIT/config', false],
  ['/garden/.git', '/garden/.git/config', false],
  ['/garden', '/garden/.gitignore', true],
  ['/garden', '/garden/.gitmodules', false],
  ['/garden', '/garden/.profile', false],
  ['/garden', '/garden/.bash_aliases', false],
  ['/garden', '/garden/.config/fish/config.fish', false],
  ['/garden', '/garden/fish/config.fish', true],
  ['~/garden', '~/garden/a', true],
  ['~/garden', '/garden/a', false],
  ['C:\\work', 'C:\\work\\a', true],
  ['C:\\work', 'c:\\work\\.git. \\x', false],
  ['C:\\work', 'C:\\work\\a:b', false],
  ['C:\\work', 'D:\\work\\a', false],
  ['/', '/a', true],
])('[HANDS-7] recognizes an edit below %s: %s %s', (directory, path, below) => {
  expect(isEditBelow(directory, path)).toBe(below);
});
