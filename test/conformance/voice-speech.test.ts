/** Tests text to speech: what is spoken, in which pieces, and the resulting audio. */
import { describe, expect, test } from 'vitest';
import { says } from '../harness/story.ts';
import { startVoice } from '../harness/voice.ts';

const LONG = 'This is a sentence that is read aloud. '.repeat(100).trim();
const spoken = ({ heard }: Awaited<ReturnType<typeof startVoice>>) =>
  heard.requests.map(({ fields }) => fields.input as string);

describe('[VOICE-2] speech', () => {
  test('returns text as MP3 in the first voice of the first model', async () => {
    const { speak, heard } = await startVoice();
    const { status, headers, body } = await speak({ text: 'Good morning.' });
    expect([status, headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(heard.requests[0]?.fields).toEqual({
      model: 'gpt-4o-mini-tts',
      input: 'Good morning.',
      voice: 'alloy',
      response_format: 'mp3',
    });
    expect(body.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfb]));
  });

  test('uses model and voice of the settings, or others from the request', async () => {
    const kernel = await startVoice({
      settings: { voice: { speech_model: 'scripted/tts-1', voice: 'nova' } },
    });
    await kernel.speak({ text: 'One.' });
    await kernel.speak({ text: 'Two.', model: 'scripted/tts-1-hd' });
    await kernel.speak({ text: 'Three.', voice: 'onyx', format: 'opus' });
    expect(
      kernel.heard.requests.map(({ fields }) => [fields.model, fields.voice, fields.response_format]),
    ).toEqual([
      ['tts-1', 'nova', 'mp3'],
      ['tts-1-hd', 'alloy', 'mp3'],
      ['tts-1', 'onyx', 'opus'],
    ]);
    const { speech } = await kernel.client.listVoice();
    expect(speech).toMatchObject({ default_model: 'scripted/tts-1', voice: 'nova' });
    expect(speech.models[0]).toMatchObject({
      formats: ['mp3', 'wav', 'opus'],
      price: { per_million_chars: 15 },
    });
  });

  test('splits a long text between sentences, and sends MP3 piece by piece', async () => {
    const kernel = await startVoice();
    const { body } = await kernel.speak({ text: LONG });
    const pieces = spoken(kernel);
    expect(pieces.length).toBe(3);
    expect(pieces.every(piece => piece.length <= 1500 && piece.endsWith('.'))).toBe(true);
    expect(pieces.join(' ')).toBe(LONG);
    expect(body.toString('latin1').match(/\[\d+\]/g)).toEqual(pieces.map(({ length }) => `[${length}]`));
  });

  test('returns WAV of several pieces as one file with its length in the header', async () => {
    const kernel = await startVoice();
    const { headers, body } = await kernel.speak({ text: LONG, format: 'wav' });
    expect(headers['content-type']).toBe('audio/wav');
    const samples = spoken(kernel).reduce((sum, piece) => sum + piece.length * 24 * 2, 0);
    expect(body.toString('latin1', 0, 4)).toBe('RIFF');
    expect(body.readUInt32LE(4)).toBe(body.length - 8);
    expect(body.toString('latin1', 36, 40)).toBe('data');
    expect(body.readUInt32LE(40)).toBe(samples);
    expect(body.length).toBe(44 + samples);
  });

  test('corrects the lengths in the header of a streamed WAV, and rejects invalid WAV', async () => {
    const { speak, heard } = await startVoice();
    const { body } = await speak({ text: 'Hi.', format: 'wav' });
    expect([body.readUInt32LE(4), body.readUInt32LE(40)]).toEqual([body.length - 8, body.length - 44]);
    heard.next({ audio: Buffer.from('noise') });
    const refused = await speak({ text: 'Hi.', format: 'wav' });
    expect([refused.status, refused.body.detail]).toEqual([
      502,
      'scripted/gpt-4o-mini-tts returned invalid WAV data.',
    ]);
  });

  test('adds the cost of speech to the totals', async () => {
    const { speak, api } = await startVoice();
    await speak({ text: 'x'.repeat(1000) });
    expect((await api.get('/v1/stats')).body.cost_usd).toBeCloseTo(0.015, 8);
  });
});

describe('[VOICE-2] errors', () => {
  const UNKNOWN = '00000000-0000-7000-8000-000000000000';
  test.each([
    ['a text without words', { text: '```\ncode\n```' }, 400, 'invalid_value'],
    ['a request without text and message', {}, 400, 'invalid_value'],
    ['a chat without a message', { chat_id: UNKNOWN }, 400, 'invalid_value'],
    ['a text with a message', { text: 'a', chat_id: UNKNOWN, message_id: UNKNOWN }, 400, 'invalid_value'],
    ['an unknown message', { chat_id: UNKNOWN, message_id: UNKNOWN }, 404, 'not_found'],
    ['a transcription model', { text: 'a', model: 'scripted/whisper-1' }, 400, 'unknown_model'],
    ['an unknown format', { text: 'a', format: 'midi' }, 422, 'schema_mismatch'],
    ['a text too long for Opus', { text: LONG, format: 'opus' }, 400, 'invalid_value'],
    ['a text too long for any format', { text: 'a'.repeat(50_001) }, 422, 'schema_mismatch'],
  ])('rejects %s', async (_, body, status, code) => {
    const { speak, heard } = await startVoice();
    const answer = await speak(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(heard.requests).toHaveLength(0);
  });

  test('rejects a message longer than the text limit, and WAV that exceeds the memory limit', async () => {
    const { client, speak, heard, upstream } = await startVoice();
    const chat = await client.createChat();
    upstream.next(says(`${'word '.repeat(10_000)}.`));
    await client.say(chat.id, 'Much.');
    const { messages } = await client.listMessages(chat.id);
    const message_id = messages.find(({ role }) => role === 'assistant')?.id;
    const long = await speak({ chat_id: chat.id, message_id });
    expect([long.status, long.body.code, long.body.detail]).toEqual([
      400,
      'invalid_value',
      'The message has 50001 characters; the limit is 50000.',
    ]);
    const wav = await speak({ text: 'a'.repeat(15_001), format: 'wav' });
    expect([wav.status, wav.body.code, wav.body.detail]).toEqual([
      400,
      'invalid_value',
      'WAV supports at most 15000 characters. Request mp3.',
    ]);
    expect(heard.requests).toHaveLength(0);
  });

  test('rejects a ninth concurrent request with a retry, and keeps a slot until the last piece is sent', async () => {
    const { heard, speak, url } = await startVoice();
    const done = Promise.withResolvers<void>();
    const eight: Response[] = [];
    for (let n = 1; n <= 8; n++) {
      // Each has its first piece, and waits for the second.
      heard.next({}, { wait: done.promise });
      const answer = await fetch(`${url}/v1/speech`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: LONG }),
      });
      eight.push(answer);
      await expect.poll(() => heard.requests.length, { timeout: 30_000 }).toBe(2 * n);
    }
    const { status, headers, body } = await speak({ text: 'Hi.' });
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'too_busy', '5']);
    done.resolve();
    const whole = await Promise.all(eight.map(async answer => (await answer.arrayBuffer()).byteLength));
    expect(new Set(whole).size).toBe(1);
    await expect.poll(async () => (await speak({ text: 'Hi.' })).status, { timeout: 30_000 }).toBe(200);
  });

  test('rejects text or HTML from a provider as missing audio', async () => {
    const { speak, heard } = await startVoice();
    heard.next({ audio: Buffer.from('{}'), content_type: 'application/json' });
    const { status, body } = await speak({ text: 'Hello.' });
    expect([status, body.code, body.detail]).toEqual([502, 'upstream_error', 'scripted sent no audio.']);
    heard.next({ audio: Buffer.from('<html>'), content_type: 'text/html; charset=utf-8' });
    expect((await speak({ text: 'Hello.' })).body.detail).toMatch(/^scripted answered with a web page/);
  });

  test('aborts the response if a later piece fails', async () => {
    const { speak, heard, url } = await startVoice();
    heard.next({}, { status: 400 });
    const answer = await fetch(`${url}/v1/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: LONG }),
    });
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect((await speak({ text: 'Still there.' })).status).toBe(200);
  });
});
