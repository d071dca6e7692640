/** Defines voice: transcription and speech, outside of any chat (VOICE-1, VOICE-2). */
import { defineFeature } from '../feature.ts';
import { routes } from './routes.ts';
import { Voice } from './voice.ts';

export const voice = defineFeature({
  name: 'voice',
  open: services => ({ service: { voice: new Voice(services), files: services.files } }),
  routes,
  documentedAfter: 'complete',
});
