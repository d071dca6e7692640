/** Tests the transcription of voice messages, and answers as voice messages, if the kernel has the models. */
import { expect, test } from 'vitest';
import { says, stuck } from '../../../test/harness/story.ts';
import { HEARD } from '../../../test/upstream/voice.ts';
import { ANN, BOB, eventually, kill, worldOf } from './bot.ts';
import { Refusal } from './bot-api/checks.ts';

type World = Awaited<ReturnType<typeof worldOf>>;

/** A kernel whose provider has transcription and speech models. */
const talking = (module: object = {}): Promise<World> => worldOf(module, { kind: 'openai' });

const VOICE = { voice: { file_id: 'voice', file_unique_id: 'v', duration: 1, mime_type: 'audio/ogg' } };

/** The messages of users in all chats of Telegram. */
async function saidIn({ kernel }: World) {
  const { chats } = await kernel.client.listChats({ shelf: 'telegram' });
  const items = (await Promise.all(chats.map(({ id }) => kernel.api.items(id)))).flat();
  return items.filter(({ kind }) => kind === 'user_message');
}

const speaks = (world: World) => world.api.files.set('voice', Buffer.from('OggS and more'));

test('transcribes voice notes, audio files and video notes, and marks them as spoken', async () => {
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
      text: '[A voice note, transcribed by a model:]\nBuy milk.',
      attachments: [{ kind: 'file', name: 'voice.ogg', size: 13 }],
    },
    { text: `What is it about?\n\n[An audio file, transcribed by a model:]\n${HEARD}` },
    { text: `[A video note, transcribed by a model:]\n${HEARD}` },
  ]);
  expect(kernel.upstream.voice.requests.map(({ file }) => file?.name)).toEqual([
    'audio.ogg',
    'audio.mp3',
    'audio.m4a',
  ]);
});

test('tells only the owner, once for each chat, that no transcription model is configured', async () => {
  const world = await worldOf({ people: [BOB.id] });
  const { api } = world;
  speaks(world);
  world.start();
  api.write(ANN, VOICE);
  await world.hears(/^Voice messages are not transcribed/);
  await world.hears('ok');
  api.write(ANN, VOICE);
  api.write(BOB, VOICE);
  await world.hears('ok', BOB.id);
  await eventually(() => expect(world.said().filter(text => text === 'ok')).toHaveLength(2));
  expect(world.said().filter(text => text.startsWith('Voice messages'))).toHaveLength(1);
  expect(world.said(BOB.id)).toEqual(['ok']);
  for (const said of await saidIn(world)) {
    expect(said).toMatchObject({
      text: '[A voice note is attached as a file; no transcription model is configured.]',
      attachments: [{ kind: 'file', name: 'voice.ogg', media_type: 'audio/ogg', size: 13 }],
    });
  }
});

test('keeps the message after one failed transcription, and reports silence', async () => {
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
    text: expect.stringMatching(/^\[A voice note is attached as a file; transcription failed: .+\]$/),
    attachments: [{ name: 'voice.ogg' }],
  });
  expect(silent).toMatchObject({
    text: '[A voice note is attached as a file; no speech was detected in it.]',
  });
  expect(kernel.upstream.voice.requests).toHaveLength(2);
});

test('transcribes and posts a message once after a kill before the 200', async () => {
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

test('sends answers as voice after the text from /voice on until /voice off', async () => {
  const world = await talking({ people: [BOB.id] });
  const { api, kernel } = world;
  world.start();
  api.write(ANN, { text: '/voice' });
  await world.hears('Spoken answers are off. To change this, send /voice on or /voice off.');
  api.write(BOB, { text: '/voice on' });
  await world.hears('Only the owner can change this.', BOB.id);
  api.write(ANN, { text: '/voice on' });
  await world.hears('Answers are now also sent as voice messages.');
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
  // An answer of code only cannot be read aloud, and a stopped answer is not.
  const before = kernel.upstream.voice.requests.length;
  kernel.upstream.next(says('```\nx\n```'), stuck({ text: 'A long' }));
  api.write(ANN, { text: 'Code.' });
  await world.hears('x');
  api.write(ANN, { text: 'Go.' });
  await eventually(() => expect(api.drafts.at(-1)?.text).toBe('A long'));
  api.write(ANN, { text: '/stop' });
  await world.hears('A long\n\n⏹ Stopped.');
  api.write(ANN, { text: '/voice off' });
  await world.hears('Answers are sent as text only.');
  api.write(ANN, { text: 'Bye.' });
  await world.hears('ok');
  expect(kernel.upstream.voice.requests).toHaveLength(before);
});

test('sends a file to users who block voice messages', async () => {
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

test('reports a failed voice message and does not retry it', async () => {
  const world = await talking();
  const { api, kernel } = world;
  world.start();
  api.write(ANN, { text: '/voice on' });
  await world.hears('Answers are now also sent as voice messages.');
  kernel.upstream.voice.next({ status: 400 });
  api.write(ANN, { text: 'Hi.' });
  await world.hears(/^⚠️ Could not create the voice message: /);
  expect(kernel.upstream.voice.requests).toHaveLength(1);
});

test('sends the voice message after a kill during its upload', async () => {
  const world = await talking();
  const { api } = world;
  const first = world.start();
  api.write(ANN, { text: '/voice on' });
  await world.hears('Answers are now also sent as voice messages.');
  api.fault({ method: 'sendVoice', how: 'hang' });
  api.write(ANN, { text: 'Hi.' });
  await eventually(() => expect(api.of('sendVoice')).toHaveLength(1));
  await kill(first);
  world.start();
  await eventually(() => expect(filesOf(world).slice(1)).toEqual(['ok', 'voice']));
});

test('explains on /voice on that no speech model is configured', async () => {
  const world = await worldOf();
  world.start();
  world.api.write(ANN, { text: '/voice on' });
  await world.hears(/^No speech model is configured\./);
});

test('sends WAV audio as a file, because Telegram cannot play it', async () => {
  const id = 'scripted/voice';
  const models = [{ id, does: 'speech' as const, voices: ['ann'], formats: ['wav' as const] }];
  const world = await worldOf({}, { settings: { voice: { speech_model: id, models } } });
  world.start();
  world.api.write(ANN, { text: '/voice on' });
  await world.hears('Answers are now also sent as voice messages.');
  world.api.write(ANN, { text: 'Hi.' });
  await eventually(() =>
    expect(world.shown().at(-1)?.file).toMatchObject({ kind: 'document', name: 'answer.wav' }),
  );
});
