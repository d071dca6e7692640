/** Converts answers to speech that Telegram can play, if the kernel has a speech model. */
import { KernelApiError, type KernelClient } from '@chat-kernel/module-sdk';

/** The maximum number of characters that the kernel reads aloud in one request. */
const MAX_TEXT = 50_000;

/** In order of preference: Telegram plays Opus and MP3 as voice messages, and shows WAV as a file. */
const FORMATS = [
  { format: 'opus', name: 'answer.ogg', plays: true },
  { format: 'mp3', name: 'answer.mp3', plays: true },
  { format: 'wav', name: 'answer.wav', plays: false },
] as const;

export interface Spoken {
  bytes: Uint8Array<ArrayBuffer>;
  name: string;
  /** Whether Telegram plays it as a voice message. */
  plays: boolean;
}

/** Resolves with undefined if the text contains nothing to read aloud. @throws if the kernel rejects the request */
export async function synthesize(
  markdown: string,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<Spoken | undefined> {
  const text = markdown.slice(0, MAX_TEXT).toWellFormed();
  for (const { format, name, plays } of FORMATS) {
    try {
      const response = await kernel.speak({ text, format }, { signal });
      return { bytes: new Uint8Array(await response.arrayBuffer()), name, plays };
    } catch (error) {
      const refused = error instanceof KernelApiError ? error.errors[0]?.pointer : undefined;
      if (refused === '/text') return undefined;
      // The model does not support this format or length.
      if (refused !== '/format' || format === 'wav') throw error;
    }
  }
  return undefined;
}
