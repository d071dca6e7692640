/** Audio that becomes text, and text that becomes audio (VOICE-1, VOICE-2). */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

export const VoicePrice = z
  .object({
    per_minute: z.number().min(0).optional().describe('USD per minute of audio that is written down.'),
    per_million_chars: z
      .number()
      .min(0)
      .optional()
      .describe('USD per million characters that are read aloud.'),
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
  voices: z.array(z.string()).describe('Those that are known, the default first.'),
  formats: z.array(SpeechFormat).describe('The default first.'),
}).meta({ id: 'SpeechModel' });
export type SpeechModel = z.infer<typeof SpeechModel>;

const defaultModel = z.string().nullable().describe('Null: no model of this use can be used.');

export const VoiceList = z
  .object({
    transcription: z.object({ models: z.array(TranscriptionModel), default_model: defaultModel }),
    speech: z.object({
      models: z.array(SpeechModel),
      default_model: defaultModel,
      voice: z.string().nullable().describe('The setting voice.voice; null: the first of the model.'),
    }),
  })
  .meta({ id: 'VoiceList' });
export type VoiceList = z.infer<typeof VoiceList>;

export const TranscriptionQuery = z.object({
  model: z.string().min(1).optional().describe('Absent: the default one.'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'expected a code such as en')
    .optional()
    .describe('The language that is spoken, as ISO 639 names it; absent: the model finds out.'),
  file_id: Id.optional().describe('An uploaded file in place of a body.'),
});
export type TranscriptionQuery = z.infer<typeof TranscriptionQuery>;

export const Transcription = z
  .object({
    text: z.string().describe('"" where nothing was said.'),
    model: z.string().describe('The id of the one that answered.'),
    language: z.string().nullable().describe('Null: the provider has not told.'),
    duration_secs: z.number().nullable().describe('Null: nobody has told.'),
    cost_usd: z.number().nullable().describe('Null: the price is unknown.'),
  })
  .meta({ id: 'Transcription' });
export type Transcription = z.infer<typeof Transcription>;

/** Most characters that are read aloud at once: about an hour. */
export const MOST_SPOKEN_CHARS = 50_000;

export const SpeechRequest = z
  .object({
    text: z.string().max(MOST_SPOKEN_CHARS).optional().describe('Markdown; this, or chat_id and message_id.'),
    chat_id: Id.optional(),
    message_id: Id.optional(),
    model: z.string().min(1).optional().describe('Absent: the default one.'),
    voice: z.string().min(1).optional().describe('Absent: the default one.'),
    format: SpeechFormat.optional().describe('Absent: the first that the model makes.'),
  })
  .meta({ id: 'SpeechRequest' });
export type SpeechRequest = z.infer<typeof SpeechRequest>;
