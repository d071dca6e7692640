/** Tests polls that hang or are rejected, commands, and the module as started by the kernel. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { becomes } from '../../../test/harness/modules.ts';
import { kernelOf } from '../../../test/harness/shared-kernel.ts';
import { ANN, eventually, worldOf } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';
import { FakeBotApi, TOKEN } from './bot-api/server.ts';

test('repeats a poll that Telegram never answers', async () => {
  const { api, start, hears } = await worldOf({ poll_secs: 1 });
  api.fault({ method: 'getUpdates', how: 'hang' });
  start();
  await eventually(() => expect(api.of('getUpdates')).toHaveLength(1));
  api.write(ANN, { text: 'Hi.' });
  await hears('ok');
});

test('logs a competing program and a failing server once, and retries', async () => {
  const { api, start, hears } = await worldOf();
  const conflict = new Refusal(409, 'Conflict: terminated by other getUpdates request');
  for (let count = 0; count < 2; count++)
    api.fault({ method: 'getUpdates', how: 'refuse', refusal: conflict });
  api.fault({ method: 'getUpdates', how: 'refuse', refusal: new Refusal(502, 'Bad Gateway') });
  const program = start();
  api.write(ANN, { text: 'Hi.' });
  await hears('ok');
  const told = program.printed().match(/another program polls/g);
  expect(told).toHaveLength(1);
});

test('logs a rejected token once, without the token', async () => {
  const { api, start } = await worldOf({ token: '42:wrong' });
  const program = start();
  await eventually(() => expect(program.printed()).toContain('Compare the token in modules/telegram.yaml'));
  expect(program.printed()).not.toContain('42:wrong');
  expect(api.calls.map(({ method }) => method)).toEqual(['getMe']);
});

test('handles /new, /help, /model and /effort, by argument and by button', async () => {
  const { api, kernel, start, hears, said } = await worldOf();
  start();
  api.write(ANN, { text: '/help' });
  await hears(/\/effort/);
  const commands = api.of('setMyCommands')[0]?.commands as { command: string }[];
  expect(commands.map(({ command }) => command)).toEqual(['new', 'stop', 'model', 'effort', 'voice', 'help']);
  api.write(ANN, { text: 'One.' });
  await hears('ok');
  api.write(ANN, { text: '/new' });
  await hears(/^New chat started/);
  api.write(ANN, { text: '/effort' });
  const offer = await hears(/^Effort: default/);
  api.press(ANN, offer, offer.buttons.find(({ text }) => text === 'high')!.callback_data);
  await eventually(() => expect(offer).toMatchObject({ text: 'Effort set to high.', buttons: [] }));
  api.write(ANN, { text: '/model scripted/none' });
  await eventually(() => expect(said().at(-1)).toContain('scripted/none'));
  api.write(ANN, { text: 'Two.' });
  await eventually(() => expect(said().filter(text => text === 'ok')).toHaveLength(2));
  const { chats } = await kernel.client.listChats({ shelf: 'telegram' });
  expect(chats.map(({ effort, consent }) => [effort, consent])).toEqual([
    ['high', 'ask'],
    [null, 'ask'],
  ]);
});

test('starts with modules.shipped: [telegram], with its settings file and its own folder', async () => {
  const api = new FakeBotApi();
  const api_url = await api.start();
  onTestFinished(() => api.stop());
  const { path: data_dir } = temporaryDirectory();
  mkdirSync(join(data_dir, 'modules'), { recursive: true });
  const module = { token: TOKEN, owner: [ANN.id], api_url, poll_secs: 1 };
  writeFileSync(join(data_dir, 'modules/telegram.yaml'), JSON.stringify({ module }), { mode: 0o600 });
  const kernel = await kernelOf({ dataDir: data_dir, settings: { modules: { shipped: ['telegram'] } } });
  await becomes(kernel.api, 'telegram', 'up');
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(api.shown.map(({ text }) => text)).toEqual(['ok']));
});
