/** Models that hear and speak. */
import { z } from 'zod';
import { SpeechFormat, VoicePrice } from '../service/voice.ts';

const modelId = z.string().regex(/^[^/]+\/.+$/, 'expected provider/name');

export const VoiceModelSettings = z.strictObject({
  id: modelId.describe('provider/name; the provider is of kind openai or openai-compatible.'),
  does: z.enum(['transcription', 'speech']).describe('What the model is for.'),
  name: z.string().optional(),
  voices: z
    .array(z.string().min(1))
    .nonempty()
    .optional()
    .describe('Of a model that speaks; the first is its default.'),
  formats: z
    .array(SpeechFormat)
    .nonempty()
    .optional()
    .describe('Of a model that speaks: what its provider makes.'),
  max_chars: z
    .int()
    .positive()
    .optional()
    .describe('Of a model that speaks: most characters of one request.'),
  price: VoicePrice.optional(),
});
export type VoiceModelSettings = z.infer<typeof VoiceModelSettings>;

export const VoiceSection = z
  .strictObject({
    transcription_model: modelId
      .nullable()
      .default(null)
      .describe('provider/name of the model that writes down audio. Null = the first usable one.'),
    speech_model: modelId
      .nullable()
      .default(null)
      .describe('provider/name of the model that reads aloud. Null = the first usable one.'),
    voice: z.string().min(1).nullable().default(null).describe('Null = the first voice of the model.'),
    models: z
      .array(VoiceModelSettings)
      .default([])
      .describe('Models that hear or speak, or facts that override the catalogue.'),
  })
  .prefault({});
