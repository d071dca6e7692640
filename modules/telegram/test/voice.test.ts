/** What is spoken to the bot is written down, and what it answers is read aloud, where the kernel can. */
import { expect, test } from 'vitest';
import { says, stuck } from '../../../test/harness/story.ts';
import { HEARD } from '../../../test/upstream/voice.ts';
import { ANN, BOB, eventually, kill, worldOf } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';

type World = Awaited<ReturnType<typeof worldOf>>;

/** A kernel whose provider hears and speaks. */
const talking = (module: object = {}): Promise<World> => worldOf(module, { kind: 'openai' });

const VOICE = { voice: { file_id: 'voice', file_unique_id: 'v', duration: 1, mime_type: 'audio/ogg' } };

/** The messages of users, over all chats of Telegram. */
async function saidIn({ kernel }: World) {
  const { chats } = await kernel.client.listChats({ shelf: 'telegram' });
  const items = (await Promise.all(chats.map(({ id }) => kernel.api.items(id)))).flat();
  return items.filter(({ kind }) => kind === 'user_message');
}

const speaks = (world: World) => world.api.files.set('voice', Buffer.from('OggS and more'));

test('a voice note, an audio file and a video note are words for the model, which knows that they were spoken', async () => {
  const world = await talking();
  const { api, kernel } = world;
  speaks(world);
  api.files.set('song', Buffer.from('ID3 and more')).set('round', Buffer.from('mp4'));
  world.start();
  kernel.upstream.voice.next({ text: ' Buy milk. ' });
  api.write(ANN, VOICE);
  await world.hears('ok');
  const audio = {
    file_id: 'song',
    file_unique_id: 's',
    duration: 1,
    mime_type: 'audio/mpeg',
    file_name: 'a.mp3',
  };
  api.write(ANN, { caption: 'What is it about?', audio });
  api.write(ANN, { video_note: { file_id: 'round', file_unique_id: 'r', length: 1, duration: 1 } });
  await eventually(() => expect(world.said()).toEqual(['ok', 'ok', 'ok']));
  expect(await saidIn(world)).toMatchObject([
    {
      text: '[A voice note, written down by a model:]\nBuy milk.',
      attachments: [{ kind: 'file', name: 'voice.ogg', size: 13 }],
    },
    { text: `What is it about?\n\n[An audio file, written down by a model:]\n${HEARD}` },
    { text: `[A video note, written down by a model:]\n${HEARD}` },
  ]);
  expect(kernel.upstream.voice.requests.map(({ file }) => file?.name)).toEqual([
    'audio.ogg',
    'audio.mp3',
    'audio.m4a',
  ]);
});

test('without a model that hears the owner is told so once in each chat, and nobody else is', async () => {
  const world = await worldOf({ people: [BOB.id] });
  const { api } = world;
  speaks(world);
  world.start();
  api.write(ANN, VOICE);
  await world.hears(/^Nobody writes down what you say here/);
  await world.hears('ok');
  api.write(ANN, VOICE);
  api.write(BOB, VOICE);
  await world.hears('ok', BOB.id);
  await eventually(() => expect(world.said().filter(text => text === 'ok')).toHaveLength(2));
  expect(world.said().filter(text => text.startsWith('Nobody'))).toHaveLength(1);
  expect(world.said(BOB.id)).toEqual(['ok']);
  for (const said of await saidIn(world)) {
    expect(said).toMatchObject({
      text: '[A voice note is attached as a file; nobody has written it down.]',
      attachments: [{ kind: 'file', name: 'voice.ogg', media_type: 'audio/ogg', size: 13 }],
    });
  }
});

test('a provider that fails is asked once, and the message is not lost; silence is told', async () => {
  const world = await talking();
  const { api, kernel } = world;
  speaks(world);
  world.start();
  kernel.upstream.voice.next({ status: 400 }, { text: ' ' });
  api.write(ANN, VOICE);
  api.write(ANN, VOICE);
  await eventually(() => expect(world.said()).toEqual(['ok', 'ok']));
  const [failed, silent] = await saidIn(world);
  expect(failed).toMatchObject({
    text: expect.stringMatching(/^\[A voice note is attached as a file; it could not be written down: .+\]$/),
    attachments: [{ name: 'voice.ogg' }],
  });
  expect(silent).toMatchObject({ text: '[A voice note in which nothing is said is attached.]' });
  expect(kernel.upstream.voice.requests).toHaveLength(2);
});

test('a message that was written down is written down and posted once, though the 200 was not heard before a kill', async () => {
  const world = await talking();
  const { api, kernel } = world;
  speaks(world);
  const first = world.start();
  world.line.hears = false;
  api.write(ANN, VOICE);
  await eventually(() => expect(world.line.lost).toBe(1));
  await kill(first);
  world.line.hears = true;
  world.start();
  await world.hears('ok');
  await eventually(() => expect(api.unconfirmed).toBe(0));
  expect(kernel.upstream.voice.requests).toHaveLength(1);
  expect(kernel.upstream.requests).toHaveLength(1);
});

const filesOf = (world: World) => world.shown().map(({ text, file }) => file?.kind ?? text);

test('/voice on has answers read aloud in that chat, after their text, until /voice off', async () => {
  const world = await talking({ people: [BOB.id] });
  const { api, kernel } = world;
  world.start();
  api.write(ANN, { text: '/voice' });
  await world.hears('Answers are not read aloud here. /voice on, /voice off');
  api.write(BOB, { text: '/voice on' });
  await world.hears('Only the owner chooses that.', BOB.id);
  api.write(ANN, { text: '/voice on' });
  await world.hears('Answers come as voice messages too.');
  kernel.upstream.next(says('Hello **Ann**.'));
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(filesOf(world).slice(2)).toEqual(['Hello Ann.', 'voice']));
  expect(world.shown().at(-1)?.file).toMatchObject({ name: 'answer.ogg' });
  const [sent] = kernel.upstream.voice.requests;
  expect(sent?.fields).toMatchObject({ input: 'Hello Ann.', response_format: 'opus' });
  // Too long for one piece of Opus.
  const long = 'This is a sentence that is read aloud. '.repeat(150).trim();
  kernel.upstream.next(says(long));
  api.write(ANN, { text: 'Tell.' });
  await eventually(() =>
    expect(world.shown().at(-1)?.file).toMatchObject({ kind: 'voice', name: 'answer.mp3' }),
  );
  // Code alone cannot be read aloud, and what was stopped is not.
  const before = kernel.upstream.voice.requests.length;
  kernel.upstream.next(says('```\nx\n```'), stuck({ text: 'A long' }));
  api.write(ANN, { text: 'Code.' });
  await world.hears('x');
  api.write(ANN, { text: 'Go.' });
  await eventually(() => expect(api.drafts.at(-1)?.text).toBe('A long'));
  api.write(ANN, { text: '/stop' });
  await world.hears('A long\n\n⏹ Stopped.');
  api.write(ANN, { text: '/voice off' });
  await world.hears('Answers are not read aloud any more.');
  api.write(ANN, { text: 'Bye.' });
  await world.hears('ok');
  expect(kernel.upstream.voice.requests).toHaveLength(before);
});

test('whoever wants no voice messages gets the audio as a file', async () => {
  const world = await talking();
  const { api } = world;
  world.start();
  api.write(ANN, { text: '/voice on' });
  const refusal = new Refusal(400, 'Bad Request: VOICE_MESSAGES_FORBIDDEN');
  api.fault({ method: 'sendVoice', how: 'refuse', refusal });
  api.write(ANN, { text: 'Hi.' });
  await eventually(() =>
    expect(world.shown().at(-1)?.file).toMatchObject({ kind: 'document', name: 'answer.ogg' }),
  );
});

test('what could not be read aloud is told, and is not asked for again', async () => {
  const world = await talking();
  const { api, kernel } = world;
  world.start();
  api.write(ANN, { text: '/voice on' });
  await world.hears('Answers come as voice messages too.');
  kernel.upstream.voice.next({ status: 400 });
  api.write(ANN, { text: 'Hi.' });
  await world.hears(/^⚠️ This could not be read aloud: /);
  expect(kernel.upstream.voice.requests).toHaveLength(1);
});

test('killed while the voice is on its way, it is sent after the restart', async () => {
  const world = await talking();
  const { api } = world;
  const first = world.start();
  api.write(ANN, { text: '/voice on' });
  await world.hears('Answers come as voice messages too.');
  api.fault({ method: 'sendVoice', how: 'hang' });
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(api.of('sendVoice')).toHaveLength(1));
  await kill(first);
  world.start();
  await eventually(() => expect(filesOf(world).slice(1)).toEqual(['ok', 'voice']));
});

test('/voice on says so where no model speaks', async () => {
  const world = await worldOf();
  world.start();
  world.api.write(ANN, { text: '/voice on' });
  await world.hears(/^No model of the kernel speaks\./);
});

test('a model that makes WAV alone has it sent as a file, for Telegram plays none', async () => {
  const id = 'scripted/voice';
  const models = [{ id, does: 'speech' as const, voices: ['ann'], formats: ['wav' as const] }];
  const world = await worldOf({}, { settings: { voice: { speech_model: id, models } } });
  world.start();
  world.api.write(ANN, { text: '/voice on' });
  await world.hears('Answers come as voice messages too.');
  world.api.write(ANN, { text: 'Hi.' });
  await eventually(() =>
    expect(world.shown().at(-1)?.file).toMatchObject({ kind: 'document', name: 'answer.wav' }),
  );
});
