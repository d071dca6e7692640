/** Tests the history of decisions: who decided what, when, why, and in which client. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, says } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  // An edit that can be undone runs git.
  kernel = await startKernel({ settings: { tools: { undo: false } } });
});
afterAll(() => kernel.stop());

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

/** Answers the request about each of the calls, one turn after the other. */
async function decide(chat: string, made: [string, object][], answer: object, fields: object = {}) {
  const { client, upstream } = kernel;
  for (const [name, input] of made) {
    upstream.next(calls('c', name, { ...input }), says('Done.'));
    const stream = await client.begin(chat, { text: 'Go.', consents: true, ...fields }, event => {
      if (event.type !== 'client_op' && event.type !== 'consent_request') return;
      void client.answerRequest(chat, { id: event.id, ...answer });
    });
    await stream.all();
  }
}
const decisionsOf = async (chat: string) =>
  (await kernel.client.listDecisions()).decisions.filter(({ chat_id }) => chat_id === chat);

test('[HANDS-3] lists who allowed which operation of the kernel, when, why and in which client', async () => {
  const workdir = realpathSync(directoryOfTest());
  const chat = (await kernel.client.createChat({ workdir, workdir_on: 'server', consent: 'ask' })).id;
  const path = join(workdir, 'a.txt');
  await decide(chat, [['write_file', { path, content: 'secret' }]], {
    decision: 'allow',
    client: 'telegram',
  });
  expect(await decisionsOf(chat)).toEqual([
    {
      id: ID,
      decided_at: TIME,
      decision: 'allow',
      client: 'telegram',
      chat_id: chat,
      turn_id: ID,
      action: 'write',
      subject: path,
      hands: null,
      reason: 'This chat asks before a file is changed on this computer.',
    },
  ]);
});

test('[HANDS-7] [OP-5] lists denials with their feedback, and lasting decisions with their prefix', async () => {
  const workdir = realpathSync(directoryOfTest());
  const chat = (await kernel.client.createChat({ workdir, workdir_on: 'client' })).id;
  const own = { client_ops: true, client_id: 'laptop', outside: ['mail:ann@example.org'] };
  const shell: [string, object] = ['shell', { commands: ['echo one two'] }];
  await decide(chat, [shell], { decision: 'deny', error: 'Not now.' }, own);
  await decide(chat, [shell], { decision: 'allow_prefix', prefix: 'echo', result: 'ok' }, own);
  const common = { client: null, chat_id: chat, action: 'shell', subject: 'echo one two', workdir };
  expect(await decisionsOf(chat)).toMatchObject([
    { ...common, decision: 'allow_prefix', prefix: 'echo', client_id: 'laptop' },
    { ...common, decision: 'deny', error: 'Not now.', client_id: 'laptop' },
  ]);
});

test('[HANDS-3] pages the history, newest first, and deletes it with its chat', async () => {
  const workdir = realpathSync(directoryOfTest());
  const { client, api } = kernel;
  const chat = (await client.createChat({ workdir, workdir_on: 'server', consent: 'ask' })).id;
  const write = (name: string): [string, object] => ['write_file', { path: name, content: '' }];
  await decide(chat, [write('a'), write('b'), write('c')], { decision: 'deny' });
  const first = await client.listDecisions({ limit: 2 });
  expect(first.decisions.map(({ subject }) => subject)).toEqual([join(workdir, 'c'), join(workdir, 'b')]);
  const next = await client.listDecisions({ limit: 1, before: first.next_before! });
  expect(next.decisions.map(({ subject }) => subject)).toEqual([join(workdir, 'a')]);
  expect(next.next_before).toBe(next.decisions[0]?.id);
  expect(await api.get('/v1/decisions?before=x')).toMatchObject({
    status: 400,
    body: { code: 'malformed_cursor' },
  });
  await client.deleteChat(chat);
  expect(await decisionsOf(chat)).toEqual([]);
});
