/** Answers as a voice reads them: audio that Telegram plays, where the kernel's model makes some. */
import { KernelApiError, type KernelClient } from '@chat-kernel/module-sdk';

/** What the kernel reads at once. */
const MAX_TEXT = 50_000;

/** In the order of how well they suit: Telegram plays Opus and MP3 as voice messages, and keeps WAV as a file. */
const FORMATS = [
  { format: 'opus', name: 'answer.ogg', plays: true },
  { format: 'mp3', name: 'answer.mp3', plays: true },
  { format: 'wav', name: 'answer.wav', plays: false },
] as const;

export interface Spoken {
  bytes: Uint8Array<ArrayBuffer>;
  name: string;
  /** As a voice message. */
  plays: boolean;
}

/** Resolves with undefined where nothing in the text can be read aloud. @throws as the kernel refuses it */
export async function spoken(
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
      // The model makes others, or not so much of this one.
      if (refused !== '/format' || format === 'wav') throw error;
    }
  }
  return undefined;
}
