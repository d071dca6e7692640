/** Files that the model sends to the chat. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { becomes, kernelOf } from '../../../test/harness/modules.ts';
import { PNG } from '../../../test/harness/pictures.ts';
import { calls, says } from '../../../test/harness/story.ts';
import { ANN, BOB, eventually } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';
import { FakeBotApi, TOKEN } from './bot-api/server.ts';

const TOOL = 'telegram_send_file';

/** The module as the kernel starts it, and a folder of the machine that its chat works in. */
async function working() {
  const api = new FakeBotApi();
  const api_url = await api.start();
  onTestFinished(() => api.stop());
  const [data, place] = [temporaryDirectory(), temporaryDirectory()];
  onTestFinished(place.remove);
  const folder = place.path;
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(data.path, 'modules'), { recursive: true });
  const module = { token: TOKEN, owner: [ANN.id], people: [BOB.id], api_url, poll_secs: 1 };
  writeFileSync(join(data.path, 'modules/telegram.yaml'), JSON.stringify({ module }));
  const kernel = await kernelOf({ dataDir: data.path, settings: { modules: { shipped: ['telegram'] } } });
  await becomes(kernel.api, 'telegram', 'up');
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(api.shown).toHaveLength(1));
  const [chat] = (await kernel.client.listChats({ shelf: 'telegram' })).chats;
  await kernel.client.setWorkdir(chat!.id, { workdir: folder, workdir_on: 'server' });
  const toolCalls = async () => (await kernel.api.items(chat!.id)).filter(({ kind }) => kind === 'tool_call');
  return { api, kernel, folder, toolCalls };
}

test('a file of the machine comes before the answer, a picture as a photo or, where it is wanted, as a file', async () => {
  const { api, kernel, folder, toolCalls } = await working();
  writeFileSync(join(folder, 'report.csv'), 'a,b');
  writeFileSync(join(folder, 'plot.png'), PNG);
  kernel.upstream.next(
    calls('c1', TOOL, { path: 'report.csv' }),
    calls('c2', TOOL, { path: join(folder, 'plot.png') }),
    calls('c3', TOOL, { path: 'plot.png', as_file: true }),
    says('Here they are.'),
  );
  api.write(ANN, { text: 'Send me all.' });
  await eventually(() => expect(api.shown).toHaveLength(5));
  expect(api.shown.slice(1).map(({ text, file }) => [text, file?.kind, file?.name])).toEqual([
    ['', 'document', 'report.csv'],
    ['', 'photo', 'plot.png'],
    ['', 'document', 'plot.png'],
    ['Here they are.', undefined, undefined],
  ]);
  expect(api.shown[1]?.file?.bytes.toString()).toBe('a,b');
  expect(api.shown[2]?.file?.bytes.equals(PNG)).toBe(true);
  expect(await toolCalls()).toMatchObject([
    { is_error: false, output: 'report.csv (3 bytes) is on its way to the chat on Telegram.' },
    { is_error: false },
    { is_error: false },
  ]);
});

test('what is missing, empty, too large or the business of another chat is told to the model', async () => {
  const { api, kernel, folder, toolCalls } = await working();
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
    [true, 'large.bin is larger than 50 MB: Telegram takes no such files from bots.'],
  ]);
  const other = await kernel.client.createChat({ toolset: { loaded: ['telegram'], disabled: [] } });
  kernel.upstream.next(calls('c4', TOOL, { path: join(folder, 'empty.txt') }), says('No.'));
  await kernel.client.say(other.id, 'Send it.');
  const [call] = (await kernel.api.items(other.id)).filter(({ kind }) => kind === 'tool_call');
  expect(call).toMatchObject({
    is_error: true,
    output: 'This chat is none of Telegram: there is nobody to send it to.',
  });
});

test('what Telegram refuses leaves a note in its place', async () => {
  const { api, kernel, folder } = await working();
  writeFileSync(join(folder, 'report.csv'), 'a,b');
  api.fault({
    method: 'sendDocument',
    how: 'refuse',
    refusal: new Refusal(413, 'Request Entity Too Large'),
  });
  kernel.upstream.next(calls('c1', TOOL, { path: 'report.csv' }), says('Here.'));
  api.write(ANN, { text: 'Send it.' });
  await eventually(() =>
    expect(api.shown.slice(1).map(({ text }) => text)).toEqual([
      '⚠️ report.csv was not taken by Telegram: Request Entity Too Large',
      'Here.',
    ]),
  );
});

test('who is not trusted has no such tool', async () => {
  const { api, kernel } = await working();
  api.write(BOB, { text: 'Send me all.' });
  await eventually(() => expect(api.shown.at(-1)).toMatchObject({ chat_id: BOB.id, text: 'ok' }));
  const toolsOf = (index: number) => JSON.stringify(kernel.upstream.requests.at(index)?.body.tools ?? []);
  expect(toolsOf(-1)).not.toContain(TOOL);
  expect(toolsOf(0)).toContain(TOOL);
});
