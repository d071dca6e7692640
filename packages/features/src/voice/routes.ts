/** Serves transcription and speech (VOICE-1, VOICE-2). */
import { Readable } from 'node:stream';
import { disconnectSignal } from '@chat-kernel/http';
import type { Files } from '@chat-kernel/kernel';
import { SpeechRequest, Transcription, TranscriptionQuery, VoiceList } from '@chat-kernel/protocol';
import { featureRoutes } from '../feature.ts';
import { sentAudio, uploadedAudio } from './audio.ts';
import type { Voice } from './voice.ts';

const defineRoute = featureRoutes<{ voice: Voice; files: Files }>({
  name: 'voice',
  description: 'Speech to text, and text to speech.',
});

export const routes = [
  defineRoute('GET /v1/voice', {
    operationId: 'listVoice',
    summary: 'List speech models',
    description:
      'Returns the available models with voices and prices. The lists are empty if none is available.',
    responses: { 200: VoiceList },
    handler: ({ service }) => service.voice.list(),
  }),
  defineRoute('POST /v1/transcribe', {
    operationId: 'transcribe',
    summary: 'Transcribe audio',
    description:
      'The body is the audio, at most 25 MB, with its Content-Type. Alternatively, leave out the body and name an uploaded file in file_id. ' +
      'At most eight transcriptions run at once; further ones are rejected. Disconnecting aborts the provider request. The cost is in the response and in the totals of GET /v1/stats.',
    rawBody: 'The audio data.',
    request: { query: TranscriptionQuery },
    responses: { 200: Transcription },
    errors: [
      'body_too_large',
      'invalid_value',
      'not_found',
      'unknown_model',
      'spend_cap',
      'upstream_error',
      'too_busy',
      'shutting_down',
    ],
    async handler({ service: { voice, files }, query, request, reply }) {
      const gone = disconnectSignal(reply);
      voice.beginTranscription(gone);
      const { model: id, language, file_id } = query;
      const model = voice.transcriber(id);
      const audio =
        file_id === undefined
          ? await sentAudio(request.raw)
          : await uploadedAudio(file_id, files, request.raw);
      return voice.transcribe(model, { audio, ...(language && { language }) }, gone);
    },
  }),
  defineRoute('POST /v1/speech', {
    operationId: 'speak',
    summary: 'Read a text aloud',
    description:
      'Reads a text or a message of a chat, at most 50,000 characters, without Markdown syntax and code. MP3 of a long text is streamed in pieces; ' +
      'if a later piece fails, the connection ends before the response is complete. Disconnecting aborts the provider request.',
    request: { body: SpeechRequest },
    responses: { 200: { contentType: 'audio/*', description: 'The audio.' } },
    errors: [
      'invalid_value',
      'not_found',
      'unknown_model',
      'spend_cap',
      'upstream_error',
      'too_busy',
      'shutting_down',
    ],
    async handler({ service: { voice }, body, reply }) {
      const { content_type, audio } = await voice.speak(body, disconnectSignal(reply));
      return reply
        .headers({ 'content-type': content_type, 'cache-control': 'no-store' })
        .send(Readable.from(audio));
    },
  }),
];
