/** Defines models for transcription and speech (VOICE-1, VOICE-2). */
import { z } from 'zod';

export const VoicePrice = z
  .object({
    per_minute: z.number().min(0).optional().describe('USD per minute of transcribed audio.'),
    per_million_chars: z.number().min(0).optional().describe('USD per million characters of speech.'),
  })
  .meta({ id: 'VoicePrice' });
export type VoicePrice = z.infer<typeof VoicePrice>;

export const SpeechFormat = z.enum(['mp3', 'wav', 'opus']).meta({ id: 'SpeechFormat' });
export type SpeechFormat = z.infer<typeof SpeechFormat>;

export const TranscriptionModel = z
  .object({
    id: z.string().describe('provider/name'),
    name: z.string(),
    provider: z.string(),
    price: VoicePrice.nullable().describe('Null: unknown.'),
  })
  .meta({ id: 'TranscriptionModel' });
export type TranscriptionModel = z.infer<typeof TranscriptionModel>;

export const SpeechModel = TranscriptionModel.extend({
  voices: z.array(z.string()).describe('The known voices, default first.'),
  formats: z.array(SpeechFormat).describe('Default first.'),
}).meta({ id: 'SpeechModel' });
export type SpeechModel = z.infer<typeof SpeechModel>;
