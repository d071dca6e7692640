/** Tests files that the model sends to the chat. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Chat } from '@chat-kernel/client';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { becomes } from '../../../test/harness/modules.ts';
import { PNG } from '../../../test/harness/pictures.ts';
import { calls, says } from '../../../test/harness/story.ts';
import { ANN, BOB, eventually } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';
import { FakeBotApi, TOKEN } from './bot-api/server.ts';

const TOOL = 'telegram_send_file';

/** The module, started by the kernel, and its chat with Ann. */
let api: FakeBotApi;
let kernel: TestKernel;
let chat: Chat;
/** The working directory of the chat; a new one for each test. */
let folder: string;
const data = temporaryDirectory();
beforeAll(async () => {
  api = new FakeBotApi();
  const api_url = await api.start();
  mkdirSync(join(data.path, 'modules'), { recursive: true });
  const module = { token: TOKEN, owner: [ANN.id], people: [BOB.id], api_url, poll_secs: 1 };
  writeFileSync(join(data.path, 'modules/telegram.yaml'), JSON.stringify({ module }), { mode: 0o600 });
  kernel = await startKernel({ dataDir: data.path, settings: { modules: { shipped: ['telegram'] } } });
  await becomes(kernel.api, 'telegram', 'up');
});
afterAll(async () => {
  await kernel?.stop();
  await api?.stop();
  data.remove();
});
beforeEach(async () => {
  folder = directoryOfTest();
  api.shown.length = 0;
  api.write(ANN, { text: '/new' });
  await eventually(() => expect(api.shown.at(-1)?.text).toMatch(/^New chat/));
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(api.shown.at(-1)?.text).toBe('ok'));
  api.shown.length = 0;
  chat = await newestChat();
  await kernel.client.setWorkdir(chat.id, { workdir: folder, workdir_on: 'server' });
});
const newestChat = async () => (await kernel.client.listChats({ shelf: 'telegram' })).chats[0]!;
const toolCalls = async () => (await kernel.api.items(chat.id)).filter(({ kind }) => kind === 'tool_call');

/** The next open request of the chat, and a function that answers it. */
async function nextQuestion() {
  const open = async () => (await kernel.client.listRequests({ chat_id: chat.id })).requests;
  await eventually(async () => expect(await open()).toHaveLength(1));
  const [request] = await open();
  const answer = (decision: 'allow' | 'deny') =>
    kernel.client.answerRequest(chat.id, { id: request!.id, decision });
  return { event: request!.event, answer };
}

/** Allows the next requests. */
async function allowNext(count: number): Promise<void> {
  for (let asked = 0; asked < count; asked++) await (await nextQuestion()).answer('allow');
}

/** The messages of the bot, without the dialogs of requests. */
const sent = () => api.shown.filter(({ text }) => !text.includes('telegram_send_file'));

test('sends a file of the machine before the answer, an image as a photo or, if requested, as a file', async () => {
  writeFileSync(join(folder, 'report.csv'), 'a,b');
  writeFileSync(join(folder, 'plot.png'), PNG);
  kernel.upstream.next(
    calls('c1', TOOL, { path: 'report.csv' }),
    calls('c2', TOOL, { path: join(folder, 'plot.png') }),
    calls('c3', TOOL, { path: 'plot.png', as_file: true }),
    says('Here they are.'),
  );
  api.write(ANN, { text: 'Send me all.' });
  await allowNext(3);
  await eventually(() => expect(sent()).toHaveLength(4));
  const shown = sent();
  expect(shown.map(({ text, file }) => [text, file?.kind, file?.name])).toEqual([
    ['', 'document', 'report.csv'],
    ['', 'photo', 'plot.png'],
    ['', 'document', 'plot.png'],
    ['Here they are.', undefined, undefined],
  ]);
  expect(shown[0]?.file?.bytes.toString()).toBe('a,b');
  expect(shown[1]?.file?.bytes.equals(PNG)).toBe(true);
  expect(await toolCalls()).toMatchObject([
    { is_error: false, output: 'report.csv (3 bytes) is queued for the chat on Telegram.' },
    { is_error: false },
    { is_error: false },
  ]);
});

test('returns an error to the model for missing, empty, too large and foreign files', async () => {
  writeFileSync(join(folder, 'empty.txt'), '');
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(50 * 1024 * 1024 + 1));
  kernel.upstream.next(
    calls('c1', TOOL, { path: 'none.txt' }),
    calls('c2', TOOL, { path: 'empty.txt' }),
    calls('c3', TOOL, { path: 'large.bin' }),
    says('No.'),
  );
  api.write(ANN, { text: 'Send me all.' });
  await eventually(() => expect(api.shown.at(-1)?.text).toBe('No.'));
  expect((await toolCalls()).map(item => item.kind === 'tool_call' && [item.is_error, item.output])).toEqual([
    [true, expect.stringContaining('none.txt')],
    [true, 'empty.txt is empty.'],
    [true, 'large.bin is larger than 50 MB, the limit for files that bots send on Telegram.'],
  ]);
  const other = await kernel.client.createChat({ toolset: { loaded: ['telegram'], disabled: [] } });
  kernel.upstream.next(calls('c4', TOOL, { path: join(folder, 'empty.txt') }), says('No.'));
  await kernel.client.say(other.id, 'Send it.');
  const [call] = (await kernel.api.items(other.id)).filter(({ kind }) => kind === 'tool_call');
  expect(call).toMatchObject({
    is_error: true,
    output: 'This chat is not connected to Telegram, so the file cannot be sent.',
  });
});

test('sends a note in place of a file that Telegram rejects', async () => {
  writeFileSync(join(folder, 'report.csv'), 'a,b');
  api.fault({
    method: 'sendDocument',
    how: 'refuse',
    refusal: new Refusal(413, 'Request Entity Too Large'),
  });
  kernel.upstream.next(calls('c1', TOOL, { path: 'report.csv' }), says('Here.'));
  api.write(ANN, { text: 'Send it.' });
  await allowNext(1);
  await eventually(() =>
    expect(sent().map(({ text }) => text)).toEqual([
      '⚠️ report.csv was rejected by Telegram: Request Entity Too Large',
      'Here.',
    ]),
  );
});

test('asks the owner with name, size, path and readers, and sends nothing that they deny', async () => {
  writeFileSync(join(folder, 'report.csv'), 'a,b');
  kernel.upstream.next(calls('c1', TOOL, { path: 'report.csv' }), says('Not sent.'));
  api.write(ANN, { text: 'Send it.' });
  const { event, answer } = await nextQuestion();
  expect(event).toMatchObject({
    decisions: ['allow', 'deny'],
    files: 'report.csv (3 B), from report.csv',
    to: `Ann on Telegram (chat ${ANN.id})`,
  });
  await answer('deny');
  await eventually(() => expect(sent().at(-1)?.text).toBe('Not sent.'));
  expect(sent().some(({ file }) => file)).toBe(false);
  expect(await toolCalls()).toMatchObject([{ is_error: true, output: 'The user declined this operation.' }]);
});

test('sends the bytes that the owner was asked about, even if the file changes before the answer', async () => {
  writeFileSync(join(folder, 'report.csv'), 'a,b');
  kernel.upstream.next(calls('c1', TOOL, { path: 'report.csv' }), says('Sent.'));
  api.write(ANN, { text: 'Send it.' });
  const { answer } = await nextQuestion();
  writeFileSync(join(folder, 'report.csv'), 'secret');
  await answer('allow');
  await eventually(() => expect(sent().at(-1)?.text).toBe('Sent.'));
  expect(
    sent()
      .find(({ file }) => file)
      ?.file?.bytes.toString(),
  ).toBe('a,b');
});

test('sends no file outside of the working directory, and asks nothing', async () => {
  const outside = temporaryDirectory();
  onTestFinished(outside.remove);
  mkdirSync(outside.path, { recursive: true });
  writeFileSync(join(outside.path, 'key'), 'secret');
  symlinkSync(join(outside.path, 'key'), join(folder, 'link'));
  const paths = [join(outside.path, 'key'), 'link', relative(folder, join(outside.path, 'key')), '~/.netrc'];
  kernel.upstream.next(...paths.map((path, index) => calls(`c${index}`, TOOL, { path })), says('No.'));
  api.write(ANN, { text: 'Send all.' });
  await eventually(() => expect(sent().at(-1)?.text).toBe('No.'));
  const outputs = (await toolCalls()).map(item => item.kind === 'tool_call' && item.output);
  expect(outputs.slice(0, 3)).toEqual(
    paths.slice(0, 3).map(path => `${path} is outside of the working directory of the chat.`),
  );
  expect(outputs[3]).not.toContain('queued');
  expect(sent().some(({ file }) => file)).toBe(false);
});

test('hides the tool from untrusted people, and sends no file for a trusted person', async () => {
  const toolsOf = (index: number) => JSON.stringify(kernel.upstream.requests.at(index)?.body.tools ?? []);
  expect(toolsOf(-1)).toContain(TOOL);
  api.write(BOB, { text: 'Send me all.' });
  await eventually(() => expect(api.shown.at(-1)).toMatchObject({ chat_id: BOB.id, text: 'ok' }));
  expect(toolsOf(-1)).not.toContain(TOOL);
  const person = (await kernel.client.listPersons()).persons.find(({ name }) => name === 'Bob');
  await kernel.client.patchPerson(person!.id, { trusted: true });
  chat = await newestChat();
  await kernel.client.setWorkdir(chat.id, { workdir: folder, workdir_on: 'server' });
  writeFileSync(join(folder, 'report.csv'), 'a,b');
  kernel.upstream.next(calls('c1', TOOL, { path: 'report.csv' }), says('No.'));
  api.write(BOB, { text: 'Send it.' });
  await eventually(() => expect(api.shown.at(-1)).toMatchObject({ chat_id: BOB.id, text: 'No.' }));
  expect(await toolCalls()).toMatchObject([
    { is_error: true, output: 'Files can be sent only in turns of the master.' },
  ]);
});
