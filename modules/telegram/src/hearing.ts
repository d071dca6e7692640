/** What was spoken, as words: written down by a model of the kernel, where one hears. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import { detailOf, whenThere } from './kernel-answers.ts';

/** A model that takes longer is not waited for: the messages behind this one wait too. */
const PATIENCE_MS = 120_000;

interface Audio {
  media_type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Either the words, or the end of a sentence about why there are none. */
type Heard = { words: string } | { why: string; deaf: boolean };

/** Rejects with the reason of the signal alone. */
export async function heardIn(audio: Audio, kernel: KernelClient, signal: AbortSignal): Promise<Heard> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const { transcription } = await whenThere(() => kernel.listVoice({ signal }), patience);
    if (transcription.default_model === null) return { why: 'nobody has written it down.', deaf: true };
    const { text } = await whenThere(() => kernel.transcribe(audio, {}, { signal: patience }), patience);
    return { words: text.trim() };
  } catch (error) {
    signal.throwIfAborted();
    const detail = patience.aborted ? 'It took too long.' : detailOf(error);
    return { why: `it could not be written down: ${detail}`, deaf: false };
  }
}
