/** Records audio from the microphone, and releases the microphone when the recording ends. */

/** Containers that browsers record into and providers read, best first. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
/** Bits per second. The kernel accepts 25 MB, which is more than an hour and a half at this rate. */
const RATE = 32_000;

export interface Recording {
  /** Stops recording. Resolves with the audio. */
  stop(): Promise<Blob>;
  /** Stops recording and discards the audio. */
  cancel(): void;
}

/** False if the page cannot use a microphone: over plain HTTP from another machine, or in an old browser. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined;

/** Asks for the microphone and starts recording. Rejects with a message for the user. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((cause: DOMException) => {
    throw new Error(
      cause.name === 'NotAllowedError'
        ? 'Microphone blocked. Allow it in your browser.'
        : 'No microphone found.',
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
