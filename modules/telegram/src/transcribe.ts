/** Transcribes audio with a model of the kernel, if one is configured. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import { errorDetail, retryUntilAvailable } from '@chat-kernel/module-sdk/surface';

/** The time limit of a transcription, because the following messages wait for it. */
const TRANSCRIPTION_TIMEOUT_MS = 120_000;

interface Audio {
  media_type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The text, or the end of a sentence that says why there is none. */
type Transcript = { text: string } | { why: string; noModel: boolean };

/** Rejects only with the reason of the signal. */
export async function transcribe(
  audio: Audio,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<Transcript> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TRANSCRIPTION_TIMEOUT_MS)]);
  try {
    const { transcription } = await retryUntilAvailable(() => kernel.listVoice({ signal }), patience);
    if (transcription.default_model === null)
      return { why: 'no transcription model is configured.', noModel: true };
    const { text } = await retryUntilAvailable(
      () => kernel.transcribe(audio, {}, { signal: patience }),
      patience,
    );
    return { text: text.trim() };
  } catch (error) {
    signal.throwIfAborted();
    const detail = patience.aborted ? 'Transcription took too long.' : errorDetail(error);
    return { why: `transcription failed: ${detail}`, noModel: false };
  }
}
