/** A recording of the microphone, which ends whole or not at all; either way the microphone is let go. */

/** Containers that browsers record into and providers read, best first. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
/** Bits of a second of speech: 25 MB, which the kernel takes, are more than an hour and a half. */
const RATE = 32_000;

export interface Recording {
  /** Ends it; resolves with the audio. */
  stop(): Promise<Blob>;
  /** Ends it and throws the audio away. */
  cancel(): void;
}

/** False where pages get no microphone: over plain HTTP from another machine, or in an old browser. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined;

/** Asks for the microphone and begins. Rejects with a sentence. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((cause: DOMException) => {
    throw new Error(
      cause.name === 'NotAllowedError'
        ? 'The microphone may not be used: allow it to this page in the browser.'
        : 'There is no microphone that can be used.',
      { cause },
    );
  });
  const letGo = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  try {
    const mimeType = TYPES.find(type => MediaRecorder.isTypeSupported(type));
    const recorder = new MediaRecorder(stream, { ...(mimeType && { mimeType }), audioBitsPerSecond: RATE });
    const pieces: Blob[] = [];
    const { promise, resolve } = Promise.withResolvers<Blob>();
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => {
      letGo();
      resolve(new Blob(pieces, { type: recorder.mimeType }));
    };
    recorder.start();
    const end = () => {
      if (recorder.state !== 'inactive') recorder.stop();
    };
    return {
      stop() {
        end();
        return promise;
      },
      cancel: end,
    };
  } catch (error) {
    letGo();
    throw error;
  }
}
