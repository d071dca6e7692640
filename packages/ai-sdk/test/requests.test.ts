/** Tests requests of the kernel in a turn, answered from the parts of its message. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { KernelClient } from '@chat-kernel/client';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { calls, says } from '../../../test/harness/story.ts';
import { KernelChatTransport, loadHistory } from '../src/index.ts';
import { Page } from './page.ts';

let kernel: TestKernel;
let client: KernelClient;
let transport: KernelChatTransport;
beforeAll(async () => {
  // An edit that can be undone runs git.
  kernel = await startKernel({ settings: { tools: { undo: false } } });
  client = new KernelClient({ url: kernel.url });
  transport = new KernelChatTransport(client, { turn: { questions: true } });
});
afterAll(() => kernel.stop());

it('shows a question as a part, and ends it with an answer', async () => {
  const questions = [
    { question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    { question: 'How much?', options: [{ label: 'All' }] },
  ];
  kernel.upstream.next(calls('q', 'ask_questions', { questions }), says('Fine.'));
  const page = new Page((await client.createChat()).id, transport);
  const sending = page.sendMessage({ text: 'Paint it.' });
  await expect.poll(() => page.requests.length).toBe(2);
  const [which, amount] = page.requests;
  expect(which).toMatchObject({
    kind: 'question',
    asked: questions[0],
    decisions: { discuss: expect.any(String) },
  });
  if (!which || !amount) throw new Error('no question came');
  await transport.answer(which, { answer: 'Red' });
  await expect.poll(() => page.requests[0]?.resolution).toEqual({ reason: 'answered' });
  expect(page.requests[1]?.resolution).toBeUndefined();
  await transport.answer(amount, { decision: 'discuss' });
  await sending;
  expect(page.requests[1]?.resolution).toMatchObject({ reason: 'answered' });
  const tool = page.parts.find(({ type }) => type === 'dynamic-tool');
  expect(tool).toMatchObject({ state: 'output-available', output: expect.stringContaining('Red') });
  await expect(transport.answer(which, { answer: 'Blue' })).rejects.toMatchObject({ status: 409 });
});

it('shows an approval as a part, also on a page that opens later', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const workdir = realpathSync(directory.path);
  const chat = await client.createChat({ workdir, workdir_on: 'server', consent: 'ask' });
  const write = (id: string, path: string) => ({
    steps: [{ text: 'Well. ' }, { call: { id, name: 'write_file', input: { path, content: 'new' } } }],
  });
  kernel.upstream.next(write('w1', 'yes.txt'), write('w2', 'no.txt'), says('Done.'));
  const first = new Page(chat.id, transport);
  const sending = first.sendMessage({ text: 'Write.' });
  await expect.poll(() => first.requests.length).toBe(1);

  const page = new Page(chat.id, transport, await loadHistory(client, chat.id));
  const resuming = page.resumeStream();
  await expect.poll(() => page.requests.length).toBe(1);
  const [write1] = page.requests;
  if (write1?.kind !== 'operation') throw new Error('no operation came');
  expect(write1.operation).toMatchObject({
    action: 'write',
    hands: null,
    params: { path: join(workdir, 'yes.txt'), content: 'new' },
    decisions: expect.arrayContaining(['allow', 'deny']),
  });
  await transport.answer(write1, { decision: 'allow' });
  await expect.poll(() => page.requests.length).toBe(2);
  await transport.answer(page.requests[1] ?? write1, { decision: 'deny' });
  await Promise.all([sending, resuming]);
  for (const shown of [first, page]) {
    expect(shown.requests.map(({ resolution }) => resolution)).toEqual([
      { reason: 'answered', decision: 'allow' },
      { reason: 'answered', decision: 'deny' },
    ]);
    expect(shown.text).toBe('Well. Well. Done.');
  }
  expect(page.parts).toEqual(first.parts);
  expect(['yes.txt', 'no.txt'].map(name => existsSync(join(workdir, name)))).toEqual([true, false]);
});

it('ends an unanswered request with its turn', async () => {
  const questions = [{ question: 'Which?', options: [{ label: 'Red' }] }];
  kernel.upstream.next(calls('q', 'ask_questions', { questions }));
  const page = new Page((await client.createChat()).id, transport);
  const sending = page.sendMessage({ text: 'Paint it.' });
  await expect.poll(() => page.requests.length).toBe(1);
  await client.cancelTurn(page.id);
  await sending;
  expect(page.requests[0]?.resolution?.reason).toMatch(/turn_ended|cancelled/);
  expect(page.parts).toContainEqual(expect.objectContaining({ toolCallId: 'q', state: 'output-error' }));
});
