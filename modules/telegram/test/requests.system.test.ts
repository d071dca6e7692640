/** Tests approvals and questions as buttons: the exact command, presses of the owner only, and decisions on other devices. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { calls, says } from '../../../test/harness/story.ts';
import { ANN, BOB, eventually, kill, sharedWorld, worldOf } from './bot.ts';
import type { Shown } from './bot-api/shown.ts';

const QUESTION = {
  question: 'Which colour?',
  options: [{ label: 'Red' }, { label: 'Green', description: 'Calm.' }],
};

const world = sharedWorld();

/** A conversation with a working directory on the kernel's machine. @param within absent: the shared world */
async function careful(within = world()) {
  const { path: workdir, remove } = temporaryDirectory();
  onTestFinished(remove);
  within.api.write(ANN, { text: 'Hi.' });
  await within.hears('ok');
  const [chat] = (await within.kernel.client.listChats({ shelf: 'telegram' })).chats;
  await within.kernel.client.setWorkdir(chat!.id, { workdir, workdir_on: 'server' });
  const asks = (command: string) => {
    within.kernel.upstream.next(calls('c1', 'shell', { commands: [command] }), says('Done.'));
    within.api.write(ANN, { text: 'Do it.' });
    return within.hears(/wants to run a command/);
  };
  return { ...within, chat: chat!, workdir, asks };
}

const dataOf = ({ buttons }: Shown, label: string): string =>
  buttons.find(({ text }) => text === label)?.callback_data as string;

test('shows a command exactly and runs it after the owner, and only the owner, approves', async () => {
  const { api, asks, hears, workdir } = await careful();
  const command = 'printf "a\u202eb <x>" && :\ntouch made';
  const question = await asks(command);
  expect(question.text).toContain('command: printf "a<U+202E>b <x>" && :\ntouch made');
  expect(question.buttons.map(({ text }) => text)).toEqual(expect.arrayContaining(['Allow once', 'Deny']));
  api.press(BOB, question, dataOf(question, 'Allow once'));
  await eventually(() =>
    expect(api.of('answerCallbackQuery').at(-1)?.text).toBe('Only the owner can decide this.'),
  );
  expect(existsSync(join(workdir, 'made'))).toBe(false);
  api.press(ANN, question, dataOf(question, 'Allow once'));
  await hears('Done.');
  expect(existsSync(join(workdir, 'made'))).toBe(true);
  await eventually(() => expect(question.text).toMatch(/→ Allow once$/));
  expect(question.buttons).toEqual([]);
});

test('sends a command that is too long for a message as a file before the buttons', async () => {
  const { api, hears, kernel, shown } = await careful();
  const command = `true ${'x'.repeat(5000)}`;
  kernel.upstream.next(calls('c1', 'shell', { commands: [command] }), says('Done.'));
  api.write(ANN, { text: 'Do it.' });
  const question = await hears('The request is too long for a message. See the file above.');
  const file = shown().find(each => each.file)?.file;
  expect(file?.bytes.toString()).toContain(`command: ${command}`);
  api.press(ANN, question, dataOf(question, 'Deny'));
  await hears('Done.');
});

test('removes the buttons of a request that was answered on another device', async () => {
  const { asks, kernel, chat, hears } = await careful();
  const question = await asks('touch made');
  const [request] = (await kernel.client.listRequests()).requests;
  await kernel.client.answerRequest(chat.id, { id: request!.id, decision: 'deny' });
  await eventually(() => expect(question.text).toMatch(/→ deny$/));
  expect(question.buttons).toEqual([]);
  await hears('Done.');
});

test('shows requests and decisions that happened while the module was down', async () => {
  const own = await worldOf();
  const program = own.start();
  const { asks, kernel, chat, hears, start, api, outbox } = await careful(own);
  const question = await asks('touch made');
  const [request] = (await kernel.client.listRequests()).requests;
  // The module can edit only messages that Telegram has confirmed.
  await eventually(() => expect(new Set(outbox())).toEqual(new Set(['sent'])));
  await kill(program);
  await kernel.client.answerRequest(chat.id, { id: request!.id, decision: 'deny' });
  kernel.upstream.next(calls('c2', 'shell', { commands: ['touch later'] }), says('Later.'));
  const turn = await kernel.client.begin(chat.id, { text: 'And?' });
  await turn.until('consent_request');
  start();
  await eventually(() => expect(question.text).toMatch(/→ no longer open$/));
  const later = await hears(/touch later/);
  api.press(ANN, later, dataOf(later, 'Allow once'));
  await turn.until('done');
  await hears('Done.');
});

test('accepts an answer by button or by text reply', async () => {
  const { kernel, api, hears } = await careful();
  const ask = (text: string) => {
    kernel.upstream.next(
      calls('q1', 'ask_questions', { questions: [{ ...QUESTION, question: text }] }),
      says(`Thanks: ${text}`),
    );
    api.write(ANN, { text: 'Ask me.' });
    return hears(new RegExp(`^${text}`));
  };
  const first = await ask('Wall');
  expect(first.text).toContain('• Green: Calm.');
  api.press(ANN, first, dataOf(first, 'Green'));
  await hears('Thanks: Wall');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain('Green');
  const second = await ask('Door');
  const { message_id, text } = second;
  const reply_to_message = { message_id, text, date: 1, chat: { id: ANN.id, type: 'private' } };
  api.write(ANN, { text: 'A deep violet.', reply_to_message });
  await hears('Thanks: Door');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).toContain('A deep violet.');
});

test('shows questions of two chats that have the same id', async () => {
  const { kernel, api, start, hears } = await worldOf({ notify_requests: true });
  start();
  const asking = (question: string) =>
    calls('call_0', 'ask_questions', { questions: [{ ...QUESTION, question }] });
  kernel.upstream.next(asking('Wall?'));
  api.write(ANN, { text: 'Ask me.' });
  const first = await hears(/^Wall/);
  const other = await kernel.client.createChat({});
  kernel.upstream.next(asking('Door?'));
  const turn = await kernel.client.begin(other.id, { text: 'Ask me.', questions: true });
  const second = await hears(/^Door/);
  kernel.upstream.next(says('Of the door.'));
  api.press(ANN, second, dataOf(second, 'Red'));
  await turn.until('done');
  await eventually(() => expect(second.text).toMatch(/→ Red$/));
  expect(first.buttons).not.toEqual([]);
  // A kernel waits for turns when it stops.
  kernel.upstream.next(says('Of the wall.'));
  api.press(ANN, first, dataOf(first, 'Red'));
  await hears('Of the wall.');
});

test('shows requests after the kernel failed to list them', async () => {
  const { kernel, api, line, start, hears } = await worldOf();
  line.broken = '/requests';
  start();
  await eventually(() => expect(line.failed).toBeGreaterThan(0));
  line.broken = null;
  kernel.upstream.next(calls('q1', 'ask_questions', { questions: [QUESTION] }), says('Thanks.'));
  api.write(ANN, { text: 'Ask me.' });
  const question = await hears(/^Which colour/);
  api.press(ANN, question, dataOf(question, 'Red'));
  await hears('Thanks.');
});

test.each([
  [true, 1],
  [false, 0],
])('shows with notify_requests: %s %i of the requests of other chats', async (notify_requests, count) => {
  const own = await worldOf({ notify_requests });
  own.start();
  const { kernel, api, shown, hears, workdir } = await careful(own);
  const other = await kernel.client.createChat({ workdir, workdir_on: 'server', consent: 'ask' });
  kernel.upstream.next(calls('c9', 'shell', { commands: ['touch other'] }), says('Elsewhere.'));
  const turn = await kernel.client.begin(other.id, { text: 'Go.' });
  const { id } = await turn.until('consent_request');
  if (count === 1) {
    const question = await hears(/touch other/);
    api.press(ANN, question, dataOf(question, 'Deny'));
  } else await kernel.client.answerRequest(other.id, { id, decision: 'deny' });
  await turn.until('done');
  expect(shown().filter(({ text }) => text.includes('touch other'))).toHaveLength(count);
});
