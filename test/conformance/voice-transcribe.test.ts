/** Tests speech to text: what the provider gets, what the client gets, what it costs, what is refused. */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startVoice, TYPE_WAV } from '../harness/voice.ts';
import { HEARD, streamedWav } from '../upstream/voice.ts';

/** A second of silence. */
const SECOND = streamedWav(Buffer.alloc(48_000));

describe('[VOICE-1] over the wire', () => {
  test('requests language and duration from a model that reports them', async () => {
    const { transcribe, heard } = await startVoice();
    const { body } = await transcribe(SECOND, '?model=scripted/whisper-1');
    expect(body).toEqual({
      text: HEARD,
      model: 'scripted/whisper-1',
      language: 'en',
      duration_secs: 2.95,
      cost_usd: expect.closeTo((2.95 / 60) * 0.006, 8),
    });
    expect(heard.requests[0]?.fields.response_format).toBe('verbose_json');
  });

  test('uses a compatible server from the settings, and reports its price as unknown', async () => {
    const { transcribe, heard, client } = await startVoice({
      kind: 'openai-compatible',
      settings: { voice: { transcription_model: 'scripted/local/whisper' } },
    });
    const list = await client.listVoice();
    expect(list).toEqual({
      transcription: {
        models: [{ id: 'scripted/local/whisper', name: 'local/whisper', provider: 'scripted', price: null }],
        default_model: 'scripted/local/whisper',
      },
      speech: { models: [], default_model: null, voice: null },
    });
    const { body } = await transcribe(SECOND);
    expect(body).toMatchObject({ text: HEARD, model: 'scripted/local/whisper', cost_usd: null });
    expect(heard.requests[0]?.fields).toEqual({ model: 'local/whisper', temperature: '0' });
  });

  test.each([
    ['audio/webm', 'audio.webm'],
    ['audio/webm;codecs=opus', 'audio.webm'],
    ['video/mp4', 'audio.m4a'],
    ['audio/mpeg', 'audio.mp3'],
    ['audio/ogg; codecs=opus', 'audio.ogg'],
  ])('sends %s to the provider under the name %s', async (type, name) => {
    const { transcribe, heard } = await startVoice();
    const { status } = await transcribe(Buffer.from('noise'), '', { 'content-type': type });
    expect(status).toBe(200);
    expect(heard.requests[0]?.file?.name).toBe(name);
  });

  test('transcribes an uploaded file instead of a body', async () => {
    const { transcribe, heard, client } = await startVoice();
    const file = await client.uploadFile({ name: 'note.wav', media_type: 'audio/wav', bytes: SECOND });
    const { status, body } = await transcribe(undefined, `?file_id=${file.id}`, {});
    expect(status).toBe(200);
    expect(body.text).toBe(HEARD);
    expect(heard.requests[0]?.file?.bytes.equals(SECOND)).toBe(true);
    expect(await client.transcribe({ media_type: 'audio/wav', bytes: SECOND })).toMatchObject({
      text: HEARD,
    });
  });
});

describe('[VOICE-1] cost', () => {
  test('is added to the totals of the kernel, including tokens', async () => {
    const kernel = await startVoice();
    await kernel.transcribe(SECOND);
    const { tokens, cost_usd } = (await kernel.api.get('/v1/stats')).body;
    expect(tokens).toMatchObject({ prompt_tokens: 30, completion_tokens: 12 });
    expect(cost_usd).toBeCloseTo(0.003 / 60, 8);
  });

  test('rejects a call at a reached cap', async () => {
    const kernel = await startVoice({ settings: { spend: { per_day: { usd: 0.000_01 } } } });
    expect((await kernel.transcribe(SECOND)).status).toBe(200);
    const { status, body } = await kernel.transcribe(SECOND);
    expect([status, body.code]).toEqual([402, 'spend_cap']);
    expect(kernel.heard.requests).toHaveLength(1);
  });

  test('exceeds a cap by at most one of several concurrent calls', async () => {
    // A call costs 0.00005: a second one may exceed the remaining budget, and a third is refused.
    const kernel = await startVoice({ settings: { spend: { per_day: { usd: 0.000_06 } } } });
    const answers = await Promise.all([1, 2, 3].map(() => kernel.transcribe(SECOND)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 402]);
    expect(kernel.heard.requests).toHaveLength(2);
  });

  test('rejects a model without a price at a cap in money, and names the setting for the price', async () => {
    const { transcribe, heard } = await startVoice({
      kind: 'openai-compatible',
      settings: { spend: { per_day: { usd: 1 } }, voice: { transcription_model: 'scripted/whisper' } },
    });
    const { status, body } = await transcribe(SECOND);
    expect([status, body.code]).toEqual([402, 'spend_cap']);
    expect(body.detail).toBe(
      'The model scripted/whisper has no price, so spend.per_day.usd cannot be enforced. Set voice.models[].price.per_minute (0 if it is free).',
    );
    expect(heard.requests).toHaveLength(0);
  });
});

describe('[VOICE-1] errors', () => {
  const UNKNOWN = '00000000-0000-7000-8000-000000000000';
  test.each([
    [
      'a body that is not audio',
      Buffer.from('{}'),
      '',
      { 'content-type': 'application/json' },
      415,
      'unsupported_media_type',
    ],
    [
      'a form',
      Buffer.from('x'),
      '',
      { 'content-type': 'multipart/form-data; boundary=x' },
      415,
      'unsupported_media_type',
    ],
    ['a missing type', Buffer.from('x'), '', {}, 415, 'unsupported_media_type'],
    ['an empty body', undefined, '', TYPE_WAV, 400, 'invalid_value'],
    ['a body with a file id', SECOND, `?file_id=${UNKNOWN}`, TYPE_WAV, 400, 'invalid_value'],
    ['an unknown file', undefined, `?file_id=${UNKNOWN}`, {}, 404, 'not_found'],
    ['an unknown model', SECOND, '?model=scripted/tts-1', TYPE_WAV, 400, 'unknown_model'],
    ['an invalid language', SECOND, '?language=English', TYPE_WAV, 400, 'invalid_value'],
    ['a body above the limit', Buffer.alloc(25 * 1024 * 1024 + 1), '', TYPE_WAV, 413, 'body_too_large'],
  ] as const)('rejects %s', async (_, sent, query, headers, status, code) => {
    const { transcribe, heard } = await startVoice();
    const { body, ...answer } = await transcribe(sent, query, headers);
    expect([answer.status, body.code]).toEqual([status, code]);
    expect(heard.requests).toHaveLength(0);
  });

  test('names the setting to set if no model is available', async () => {
    const { transcribe } = await startVoice({ kind: 'openai-compatible' });
    const { status, body } = await transcribe(SECOND);
    expect([status, body.code]).toEqual([502, 'upstream_error']);
    expect(body.detail).toBe(
      'No model is available for this. Set voice.transcription_model (see docs/voice.md).',
    );
  });

  test('retries an overloaded provider, and returns a refusal without the key', async () => {
    const { transcribe, heard } = await startVoice();
    heard.next(
      { status: 503, headers: { 'retry-after-ms': '1' } },
      { status: 429, headers: { 'retry-after-ms': '1' } },
    );
    expect((await transcribe(SECOND)).status).toBe(200);
    expect(heard.requests).toHaveLength(3);
    heard.next({ status: 401 });
    const { status, body } = await transcribe(SECOND);
    expect([status, body.code]).toEqual([502, 'upstream_error']);
    expect(body.detail).toMatch(/^scripted answered 401: Incorrect API key provided/);
    expect(heard.requests).toHaveLength(4);
  });

  test('rejects a ninth concurrent call with a retry, and accepts it after another ends', async () => {
    const { heard, transcribe, api } = await startVoice();
    const done = Promise.withResolvers<void>();
    heard.next(...Array.from({ length: 8 }, () => ({ wait: done.promise })));
    const eight = Array.from({ length: 8 }, () => transcribe(SECOND));
    await expect.poll(() => heard.requests.length, { timeout: 30_000 }).toBe(8);
    const { status, headers, body } = await transcribe(SECOND);
    expect([status, body.code, body.detail, headers['retry-after']]).toEqual([
      503,
      'too_busy',
      'The limit of 8 concurrent transcriptions is reached. Try again in a moment.',
      '5',
    ]);
    // Speech has a separate limit.
    expect((await api.post('/v1/speech', { text: 'Hi.' })).status).toBe(200);
    expect(heard.requests).toHaveLength(9);
    done.resolve();
    expect((await Promise.all(eight)).map(answer => answer.status)).toEqual(Array(8).fill(200));
    await expect.poll(async () => (await transcribe(SECOND)).status, { timeout: 30_000 }).toBe(200);
  });

  test('frees the slot after a rejection, a failure or a disconnect', async () => {
    const { heard, transcribe, url } = await startVoice();
    for (let n = 0; n < 8; n++) {
      expect((await transcribe(undefined, '')).status).toBe(400);
      heard.next({ status: 400 });
      expect((await transcribe(SECOND)).status).toBe(502);
      heard.next({ wait: new Promise(() => {}) });
      const sent = heard.requests.length;
      const asked = request(`${url}/v1/transcribe`, { method: 'POST', headers: TYPE_WAV });
      asked.on('error', () => undefined);
      asked.end(SECOND);
      await expect.poll(() => heard.requests.length, { timeout: 30_000 }).toBe(sent + 1);
      asked.destroy();
      expect(await heard.requests.at(-1)?.ended).toBe('aborted');
    }
    await expect.poll(async () => (await transcribe(SECOND)).status, { timeout: 30_000 }).toBe(200);
  });

  test('rejects calls during a shutdown, and waits for no provider', async () => {
    const { heard, transcribe, stop } = await startVoice();
    heard.next({ wait: new Promise(() => {}) });
    const asked = transcribe(SECOND);
    await expect.poll(() => heard.requests.length, { timeout: 30_000 }).toBe(1);
    await stop();
    const { status, body } = await asked;
    expect([status, body.code]).toEqual([503, 'shutting_down']);
    expect(await heard.requests[0]?.ended).toBe('aborted');
  });

  test('aborts the provider request when the client disconnects', async () => {
    const { heard, url } = await startVoice();
    heard.next({ wait: new Promise(() => {}) });
    const asked = request(`${url}/v1/transcribe`, { method: 'POST', headers: TYPE_WAV });
    asked.on('error', () => undefined);
    asked.end(SECOND);
    await expect.poll(() => heard.requests.length, { timeout: 30_000 }).toBe(1);
    asked.destroy();
    expect(await heard.requests[0]?.ended).toBe('aborted');
  });
});
