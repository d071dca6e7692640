/** Tests audio with OpenAI's own client: transcriptions and speech of the kernel, and what it refuses. */
import type OpenAI from 'openai';
import { APIError, toFile } from 'openai';
import { expect, test } from 'vitest';
import { openaiOf } from '../harness/openai.ts';
import { startVoice } from '../harness/voice.ts';
import { HEARD, streamedWav } from '../upstream/voice.ts';

const SECOND = streamedWav(Buffer.alloc(48_000));
const HEARS = 'scripted/gpt-4o-mini-transcribe';
const SPEAKS = 'scripted/gpt-4o-mini-tts';

const opened = async () => {
  const kernel = await startVoice();
  return { ...kernel, openai: openaiOf(kernel) };
};
const wav = () => toFile(SECOND, 'note.wav');

test("[FACE-1] returns the kernel's transcription as JSON and as text", async () => {
  const { openai, heard } = await opened();
  const { data, response } = await openai.audio.transcriptions
    .create({ file: await wav(), model: HEARS, language: 'en', prompt: 'A note.' })
    .withResponse();
  expect(data).toEqual({ text: HEARD });
  expect(response.headers.get('x-ignored-fields')).toBe('/prompt');
  expect(heard.requests[0]).toMatchObject({
    fields: { model: 'gpt-4o-mini-transcribe', language: 'en' },
    file: { type: 'audio/wav', bytes: SECOND },
  });
  const timed = await openai.audio.transcriptions.create({ file: await wav(), model: 'scripted/whisper-1' });
  expect(timed).toEqual({ text: HEARD, usage: { type: 'duration', seconds: 2.95 } });
  const text = await openai.audio.transcriptions.create({
    file: await wav(),
    model: HEARS,
    response_format: 'text',
  });
  expect(text).toBe(`${HEARD}\n`);
});

test("[FACE-1] returns the kernel's speech", async () => {
  const { openai, heard } = await opened();
  const answer = await openai.audio.speech.create({ model: SPEAKS, input: 'Good morning.', voice: 'nova' });
  expect(answer.headers.get('content-type')).toBe('audio/mpeg');
  expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfb]));
  expect(heard.requests[0]?.fields).toEqual({
    model: 'gpt-4o-mini-tts',
    input: 'Good morning.',
    voice: 'nova',
    response_format: 'mp3',
  });
});

test('[FACE-1] rejects an unsupported parameter by its name', async () => {
  const { openai, url } = await opened();
  const transcribe = async (more: object) =>
    openai.audio.transcriptions
      .create({
        file: await wav(),
        model: HEARS,
        ...more,
      } as OpenAI.Audio.TranscriptionCreateParamsNonStreaming)
      .catch((error: unknown) => error);
  const speak = (more: object) =>
    openai.audio.speech
      .create({ model: SPEAKS, input: 'Hi.', voice: 'alloy', ...more } as OpenAI.Audio.SpeechCreateParams)
      .catch((error: unknown) => error);
  for (const [answer, status, param] of [
    [await transcribe({ response_format: 'srt' }), 400, 'response_format'],
    [await transcribe({ timestamp_granularities: ['word'] }), 400, 'timestamp_granularities[]'],
    [
      await transcribe({ file: await toFile(Buffer.from('hello'), 'note.txt', { type: 'text/plain' }) }),
      415,
      'file',
    ],
    [await transcribe({ model: 'whisper-1' }), 404, 'model'],
    [await speak({ response_format: 'aac' }), 400, 'response_format'],
    [await speak({ speed: 2 }), 400, 'speed'],
    [await speak({ model: 'tts-9' }), 404, 'model'],
  ] as const) {
    expect(answer).toBeInstanceOf(APIError);
    expect(answer).toMatchObject({ status, param });
  }
  const post = async (body: string, type: string, path = '/audio/transcriptions') => {
    const headers = { 'content-type': type };
    const answer = await fetch(`${url}/openai/v1${path}`, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { error: { code: string | null } }).error.code];
  };
  expect(await post('{}', 'application/json')).toEqual([415, 'unsupported_media_type']);
  expect(await post('x', 'multipart/form-data; boundary=b')).toEqual([400, null]);
  expect(await post('x', 'multipart/form-data; boundary=b', '/audio/translations')).toEqual([
    404,
    'unknown_url',
  ]);
});
