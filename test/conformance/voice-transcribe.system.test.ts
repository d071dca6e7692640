/** Tests real speech to text, up to what the provider gets. */
import { describe, expect, test } from 'vitest';
import { noEspeak, spokenWav } from '../harness/espeak.ts';
import { startVoice } from '../harness/voice.ts';
import { HEARD } from '../upstream/voice.ts';

describe('[VOICE-1] over the wire', () => {
  test.skipIf(noEspeak)('sends speech to the provider byte by byte, and returns the transcript', async () => {
    const { transcribe, heard } = await startVoice();
    const wav = spokenWav(HEARD);
    const { status, body } = await transcribe(wav, '?language=en');
    expect(status).toBe(200);
    const seconds = (wav.length - 44) / 44_100;
    expect(body).toEqual({
      text: HEARD,
      model: 'scripted/gpt-4o-mini-transcribe',
      language: null,
      duration_secs: null,
      cost_usd: expect.closeTo((seconds / 60) * 0.003, 8),
    });
    const [sent] = heard.requests;
    expect(sent?.path).toBe('/v1/audio/transcriptions');
    expect(sent?.headers.authorization).toMatch(/^Bearer \S/);
    expect(sent?.fields).toEqual({ model: 'gpt-4o-mini-transcribe', language: 'en', temperature: '0' });
    expect(sent?.file).toEqual({ name: 'audio.wav', type: 'audio/wav', bytes: wav });
  });
});
