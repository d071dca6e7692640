/** Starts a kernel that transcribes and speaks through the scripted provider, and sends requests as programs do. */
import { onTestFinished } from 'vitest';
import { startUpstream } from '../upstream/server.ts';
import type { KernelOptions } from './kernel.ts';
import { kernelOf } from './shared-kernel.ts';

export const TYPE_WAV = { 'content-type': 'audio/wav' };

/**
 * Adds a provider of OpenAI's own kind with its catalog next to the scripted provider, which is of kind
 * openai-compatible and has none.
 */
export async function startVoice(options: Pick<KernelOptions, 'settings' | 'kind'> = {}) {
  const upstream = await startUpstream();
  onTestFinished(upstream.close);
  const kernel = await kernelOf({ upstream, kind: 'openai', ...options });
  const transcribe = (body: Buffer | undefined, query = '', headers: Record<string, string> = TYPE_WAV) =>
    kernel.api.raw(`/v1/transcribe${query}`, { method: 'POST', headers, ...(body && { body }) });
  const speak = (body: object) => kernel.api.post('/v1/speech', body);
  return { ...kernel, heard: upstream.voice, transcribe, speak };
}
