/** Defines the settings of speech and transcription models. */
import { z } from 'zod';
import { SpeechFormat, VoicePrice } from '../service/voice.ts';

const modelId = z.string().regex(/^[^/]+\/.+$/, 'expected provider/name');

export const VoiceModelSettings = z.strictObject({
  id: modelId.describe(
    'Model id, as provider/name. The provider must be of kind openai or openai-compatible.',
  ),
  does: z.enum(['transcription', 'speech']).describe('Purpose of the model.'),
  voices: z
    .array(z.string().min(1))
    .nonempty()
    .optional()
    .describe('Voices of a speech model. The first is the default.'),
  formats: z.array(SpeechFormat).nonempty().optional().describe('Audio formats of a speech model.'),
  price: VoicePrice.optional().describe(
    'Price in USD, per_minute or per_million_chars; needed for spending limits in USD.',
  ),
});
export type VoiceModelSettings = z.infer<typeof VoiceModelSettings>;

export const VoiceSection = z
  .strictObject({
    transcription_model: modelId
      .nullable()
      .default(null)
      .describe('Model for transcription, as provider/name. Null = the first usable one.'),
    speech_model: modelId
      .nullable()
      .default(null)
      .describe('Model for speech, as provider/name. Null = the first usable one.'),
    voice: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe('Default voice. Null = the first voice of the model.'),
    models: z
      .array(VoiceModelSettings)
      .default([])
      .describe('Additional voice models, or values that override the catalog.'),
  })
  .prefault({});
