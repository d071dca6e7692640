/** Serves speech: the kernel reads a text aloud. */
import type { KernelClient } from '@chat-kernel/client';
import type { FaceAnswer } from '@chat-kernel/http';
import { z } from 'zod';
import { invalid } from '../wire/openai-error.ts';
import { toOpenAiError } from '../wire/problems.ts';
import { mistake } from '../wire/request.ts';

const SpeechRequest = z.object({
  model: z.string().min(1),
  input: z.string().min(1),
  voice: z
    .union([z.string().min(1), z.object({ id: z.string().min(1) }).transform(({ id }) => id)])
    .nullish(),
  response_format: z.enum(['mp3', 'wav', 'opus']).nullish(),
  speed: z.literal(1).nullish(),
  stream_format: z.literal('audio').nullish(),
});

/** @throws OpenAiError */
export async function speak(kernel: KernelClient, body: unknown, signal: AbortSignal): Promise<FaceAnswer> {
  const parsed = SpeechRequest.safeParse(body);
  if (!parsed.success) throw mistake(parsed.error.issues[0]!);
  const { model, input, voice, response_format } = parsed.data;
  const format = response_format ?? 'mp3';
  const answer = await kernel
    .speak({ text: input, model, format, ...(voice && { voice }) }, { signal })
    .catch(error => {
      throw toOpenAiError(error, 'input');
    });
  if (answer.body === null) throw invalid('input', 'input is empty.');
  const ignored: Record<string, string> =
    'instructions' in (body as object) ? { 'x-ignored-fields': '/instructions' } : {};
  return {
    status: 200,
    headers: { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream', ...ignored },
    body: answer.body,
  };
}
