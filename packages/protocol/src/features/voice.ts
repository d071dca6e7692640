/** Defines the API schemas of transcription and speech (VOICE-1, VOICE-2). */
import { z } from 'zod';
import { NameText } from '../base/bounded.ts';
import { Id } from '../base/primitives.ts';
import { SpeechFormat, SpeechModel, TranscriptionModel } from '../service/voice.ts';

const defaultModel = z.string().nullable().describe('Null: no model is available for this.');

export const VoiceList = z
  .object({
    transcription: z.object({ models: z.array(TranscriptionModel), default_model: defaultModel }),
    speech: z.object({
      models: z.array(SpeechModel),
      default_model: defaultModel,
      voice: z.string().nullable().describe('The setting voice.voice. Null: the first voice of the model.'),
    }),
  })
  .meta({ id: 'VoiceList' });
export type VoiceList = z.infer<typeof VoiceList>;

export const TranscriptionQuery = z.object({
  model: NameText.min(1).optional().describe('Absent: the default.'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'expected a code such as en')
    .optional()
    .describe('The spoken language (ISO 639). Absent: detected by the model.'),
  file_id: Id.optional().describe('An uploaded file instead of a body.'),
});
export type TranscriptionQuery = z.infer<typeof TranscriptionQuery>;

export const Transcription = z
  .object({
    text: z.string().describe('Empty if there is no speech.'),
    model: z.string().describe('The id of the model that answered.'),
    language: z.string().nullable().describe('Null: not reported by the provider.'),
    duration_secs: z.number().nullable().describe('Null: unknown.'),
    cost_usd: z.number().nullable().describe('Null: the price is unknown.'),
  })
  .meta({ id: 'Transcription' });
export type Transcription = z.infer<typeof Transcription>;

/** Maximum number of characters per speech request: about an hour of audio. */
export const MAX_SPEECH_CHARS = 50_000;

export const SpeechRequest = z
  .object({
    text: z
      .string()
      .max(MAX_SPEECH_CHARS)
      .optional()
      .describe('Markdown. Give this, or chat_id and message_id.'),
    chat_id: Id.optional(),
    message_id: Id.optional(),
    model: NameText.min(1).optional().describe('Absent: the default.'),
    voice: NameText.min(1).optional().describe('Absent: the default.'),
    format: SpeechFormat.optional().describe('Absent: the first format of the model.'),
  })
  .meta({ id: 'SpeechRequest' });
export type SpeechRequest = z.infer<typeof SpeechRequest>;
