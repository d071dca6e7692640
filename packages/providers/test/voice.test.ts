/** Tests which models transcribe and speak: from the catalog, from the settings, from neither. */
import { systemClock } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { startUpstream } from '../../../test/upstream/server.ts';
import { HEARD } from '../../../test/upstream/voice.ts';
import { openModels } from '../src/index.ts';
import { keepingLog, llmSettings } from './wires.ts';

const LOCAL = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1' };
const NAMED = { id: 'local/m' };

async function open(
  { providers = {}, voice = {} }: { providers?: object; voice?: object },
  env: Record<string, string> = {},
  log = keepingLog(),
) {
  const models = await openModels({
    secrets: [],
    llm: llmSettings({ providers, models: [NAMED] }),
    voice: Settings.parse({ voice }).voice,
    env: { OLLAMA_HOST: '127.0.0.1:1', ...env },
    clock: systemClock,
    log,
  });
  const { transcription, speech, voice: named } = models.voice;
  const ids = (of: readonly { record: { id: string } }[]) => of.map(({ record }) => record.id);
  return { hear: ids(transcription), speak: ids(speech), voice: named, transcription, speech };
}

describe('[VOICE-1][VOICE-2] the models', () => {
  test('are empty without a key and for Anthropic', async () => {
    expect(await open({}, { ANTHROPIC_API_KEY: 'k' })).toMatchObject({ hear: [], speak: [], voice: null });
  });

  test('include those of keys in the environment, OpenAI before Groq', async () => {
    const { hear, speak } = await open({}, { GROQ_API_KEY: 'k', OPENAI_API_KEY: 'k' });
    expect(hear).toEqual([
      'openai/gpt-4o-mini-transcribe',
      'openai/gpt-4o-transcribe',
      'openai/whisper-1',
      'groq/whisper-large-v3-turbo',
      'groq/whisper-large-v3',
    ]);
    expect(speak).toEqual([
      'openai/gpt-4o-mini-tts',
      'openai/tts-1',
      'openai/tts-1-hd',
      'groq/canopylabs/orpheus-v1-english',
    ]);
  });

  test('start with the model that the settings name, without checking it', async () => {
    const { hear, speak, speech } = await open({
      providers: { local: LOCAL, openai: { kind: 'openai', api_key: 'k' } },
      voice: {
        transcription_model: 'openai/whisper-1',
        speech_model: 'local/kokoro',
        models: [{ id: 'local/kokoro', does: 'speech', voices: ['a', 'b'], formats: ['wav'] }],
      },
    });
    expect(hear[0]).toBe('openai/whisper-1');
    expect(new Set(hear).size).toBe(hear.length);
    expect(speak[0]).toBe('local/kokoro');
    expect(speech[0]?.record).toEqual({
      id: 'local/kokoro',
      name: 'kokoro',
      provider: 'local',
      price: null,
      voices: ['a', 'b'],
      formats: ['wav'],
    });
  });

  test('at another address of kind openai follow the settings for the listed uses', async () => {
    const proxy = { kind: 'openai', base_url: 'http://127.0.0.1:1/v1', api_key: 'k' };
    const models = [{ id: 'proxy/hears', does: 'transcription' }];
    const { hear, speak } = await open({ providers: { proxy }, voice: { models } });
    expect(hear).toEqual(['proxy/hears']);
    expect(speak).toEqual(['proxy/gpt-4o-mini-tts', 'proxy/tts-1', 'proxy/tts-1-hd']);
  });

  test('exclude the model of a provider without a key, with a log line', async () => {
    const log = keepingLog();
    const providers = { openai: { kind: 'openai', api_key_env: 'NOT_SET' }, local: LOCAL };
    const { hear } = await open({ providers, voice: { transcription_model: 'openai/whisper-1' } }, {}, log);
    expect(hear).toEqual([]);
    expect(JSON.stringify(log)).toContain('voice model openai/whisper-1 cannot be used');
  });

  test('send headers of the settings, and no key to a server without one', async () => {
    const upstream = await startUpstream();
    try {
      const local = { ...LOCAL, base_url: `${upstream.url}/v1`, headers: { 'x-tenant': 'me' } };
      const voice = { transcription_model: 'local/whisper', speech_model: 'local/kokoro', voice: 'a' };
      const { transcription, speech } = await open({ providers: { local }, voice });
      const { signal } = new AbortController();
      const audio = { bytes: new Uint8Array(8), media_type: 'audio/ogg' };
      expect(await transcription[0]?.transcribe(audio, undefined, signal)).toEqual({
        text: HEARD,
        language: null,
        duration_secs: null,
        tokens: null,
      });
      await speech[0]?.speak({ text: 'Hello.', voice: 'a', format: 'mp3' }, signal);
      const sent = upstream.voice.requests.map(({ headers }) => [headers.authorization, headers['x-tenant']]);
      expect(sent).toEqual([
        [undefined, 'me'],
        [undefined, 'me'],
      ]);
    } finally {
      await upstream.close();
    }
  });

  test('reject a missing provider, or one of another kind', async () => {
    const providers = { local: LOCAL, claude: { kind: 'anthropic', api_key: 'k' } };
    await expect(open({ providers, voice: { speech_model: 'claude/x' } })).rejects.toMatchObject({
      name: 'UnknownModel',
      message:
        'voice names the model claude/x, whose provider is not of kind openai or openai-compatible. Providers of these kinds: local.',
    });
  });
});
