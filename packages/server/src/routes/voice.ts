/** Voice: audio that becomes text, and text that becomes audio (VOICE-1, VOICE-2). */
import { Readable } from 'node:stream';
import { SpeechRequest, Transcription, TranscriptionQuery, VoiceList } from '@chat-kernel/protocol';
import { sentAudio, uploadedAudio } from '../files/audio.ts';
import { hangUpSignal } from '../http/hang-up.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'voice', description: 'Audio that becomes text, and text that becomes audio.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/voice',
    operationId: 'listVoice',
    summary: 'List models that hear and speak',
    description:
      'Those that can be used, with their voices and prices. Where there are none, the lists are empty.',
    tag,
    responses: { 200: VoiceList },
    handler: ({ kernel }) => kernel.voice.list(),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/transcribe',
    operationId: 'transcribe',
    summary: 'Write down what is said',
    description:
      'The body is the bytes of the audio, at most 25 MB, and its Content-Type says what they are; or there is no body, and file_id names an uploaded file. ' +
      'Eight are written down at once; a further one is refused. Who hangs up ends the request to the provider. The cost stands in the answer and in the totals of GET /v1/stats.',
    tag,
    rawBody: 'The bytes of the audio.',
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
    async handler({ kernel, query, request, reply }) {
      const gone = hangUpSignal(reply);
      kernel.voice.beginTranscription(gone);
      const { model: id, language, file_id } = query;
      const model = kernel.voice.transcriber(id);
      const audio =
        file_id === undefined
          ? await sentAudio(request.raw)
          : await uploadedAudio(file_id, kernel, request.raw);
      return kernel.voice.transcribe(model, { audio, ...(language && { language }) }, gone);
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/speech',
    operationId: 'speak',
    summary: 'Read a text aloud',
    description:
      'A text, or a message of a chat, of at most 50,000 characters: its words, without the marks of Markdown and without code. MP3 of a long text comes piece by piece; ' +
      'where a later piece fails, the connection ends before the answer does. Who hangs up ends the request to the provider.',
    tag,
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
    async handler({ kernel, body, reply }) {
      const { content_type, audio } = await kernel.voice.speak(body, hangUpSignal(reply));
      return reply
        .headers({ 'content-type': content_type, 'cache-control': 'no-store' })
        .send(Readable.from(audio));
    },
  }),
];
