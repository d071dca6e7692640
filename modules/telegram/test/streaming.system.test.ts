/** Tests streamed answers: drafts in private chats, a message with a Stop button in groups, and stopping both. */
import { expect, test } from 'vitest';
import { held, stuck } from '../../../test/harness/story.ts';
import { ANN, BOB, eventually, GROUP, sharedWorld } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';

const world = sharedWorld();
const MENTION = { text: '@kernel_bot go', entities: [{ type: 'mention', offset: 0, length: 11 }] };

test('streams the answer as a draft in private chats, and the Telegram button stops it', async () => {
  const { api, kernel, hears, said } = world();
  kernel.upstream.next(stuck({ text: 'A **long' }));
  api.write(ANN, { text: 'Tell.' });
  await eventually(() => expect(api.drafts).toEqual([{ chat_id: ANN.id, text: 'A **long' }]));
  const { draft_id, can_stop } = api.of('sendMessageDraft')[0]!;
  expect(can_stop).toBe(true);
  api.push({ stopped_message_generation: { chat: { id: ANN.id, type: 'private' }, draft_id } });
  await hears('A **long\n\n⏹ Stopped.');
  expect(said()).toHaveLength(1);
});

test('stops the response on /stop, and reports if none is running', async () => {
  const { api, kernel, hears } = world();
  api.write(ANN, { text: '/stop' });
  await hears('No response is running.');
  kernel.upstream.next(stuck({ text: 'A long' }));
  api.write(ANN, { text: 'Tell.' });
  await eventually(() => expect(api.drafts).toHaveLength(1));
  api.write(ANN, { text: '/stop' });
  await hears('A long\n\n⏹ Stopped.');
});

test('[CONSENT-4] streams the answer in one message in groups, without previews of links, and its button stops it', async () => {
  const { api, kernel, hears, shown } = world();
  const gate = held({ text: ' two' });
  kernel.upstream.next({ steps: [{ text: 'one' }, ...(gate.reply.steps ?? [])] }, stuck({ text: 'three' }));
  api.write(BOB, MENTION, GROUP);
  const growing = await hears('one', GROUP.id);
  expect(growing.buttons.map(({ text }) => text)).toEqual(['Stop']);
  gate.go();
  await eventually(() => expect(shown(GROUP.id)).toMatchObject([{ text: 'one two', buttons: [] }]));
  api.write(BOB, MENTION, GROUP);
  const second = await hears('three', GROUP.id);
  api.press(BOB, second, second.buttons[0]!.callback_data);
  await eventually(() => expect(second).toMatchObject({ text: 'three\n\n⏹ Stopped.', buttons: [] }));
  const sent = [...api.of('sendMessage'), ...api.of('editMessageText')];
  expect(sent.length).toBeGreaterThanOrEqual(4);
  for (const each of sent) expect(each).toMatchObject({ link_preview_options: { is_disabled: true } });
});

test('streams in a message in private chats if the Bot API does not support drafts', async () => {
  const { api, kernel, hears, shown } = world();
  api.fault({ method: 'sendMessageDraft', how: 'refuse', refusal: new Refusal(404, 'Not Found') });
  const gate = held({ text: ' two' });
  kernel.upstream.next({ steps: [{ text: 'one' }, ...(gate.reply.steps ?? [])] });
  api.write(ANN, { text: 'Count.' });
  await hears('one');
  gate.go();
  await eventually(() => expect(shown()).toMatchObject([{ text: 'one two', buttons: [] }]));
});

test('sends the error of a failed turn', async () => {
  const { api, kernel, hears } = world();
  kernel.upstream.next({ error: 'unauthorized' });
  api.write(ANN, { text: 'Hi.' });
  await hears(/^⚠️ ./);
});
