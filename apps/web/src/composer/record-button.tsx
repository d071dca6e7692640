/** Records speech and inserts its transcript into the message without sending it. Esc discards the recording. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/use-keys.ts';

type Phase = 'idle' | 'asking' | 'recording' | 'hearing';

/** @param onHeard called with the transcript, which is never empty */
export function RecordButton({ onHeard }: { onHeard(text: string): void }) {
  const { client, notices, voice } = useKernel();
  const isHeard = useStore(voice)?.transcription.default_model != null;
  const [phase, setPhase] = useState<Phase>('idle');
  const recording = useRef<Recording | null>(null);
  /** Aborted when the recording is canceled. */
  const leaving = useRef(new AbortController());
  const cancel = () => {
    leaving.current.abort();
    leaving.current = new AbortController();
    recording.current?.cancel();
    recording.current = null;
    setPhase('idle');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: cancels the recording when the page is left
  useEffect(() => cancel, []);
  useKeys(event => {
    if (phase === 'idle' || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  }, true);
  const attempt = async (work: (signal: AbortSignal) => Promise<void>) => {
    const { signal } = leaving.current;
    try {
      await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      notices.fail(error);
      cancel();
    }
  };
  const begin = () =>
    attempt(async signal => {
      setPhase('asking');
      const begun = await record();
      if (signal.aborted) return begun.cancel();
      recording.current = begun;
      setPhase('recording');
    });
  const finish = () =>
    attempt(async signal => {
      const begun = recording.current;
      if (!begun) return;
      recording.current = null;
      setPhase('hearing');
      const bytes = await begun.stop();
      const { text } = await client.transcribe({ media_type: bytes.type, bytes }, {}, { signal });
      if (signal.aborted) return;
      setPhase('idle');
      if (text === '') notices.say('No speech detected.');
      else onHeard(text);
    });
  if (!isHeard || !canRecord()) return null;
  if (phase === 'idle') {
    return (
      <IconButton
        label="Record"
        icon="microphone"
        title="Dictate, then review before sending"
        onClick={begin}
      />
    );
  }
  return (
    <div className="recording">
      {phase === 'recording' ? <Elapsed /> : null}
      <button
        type="button"
        aria-label={phase === 'recording' ? 'Stop recording' : 'Transcribing…'}
        title="Esc to discard"
        disabled={phase !== 'recording'}
        onClick={finish}
      >
        {phase === 'recording' ? <Icon name="stop" /> : '…'}
      </button>
    </div>
  );
}

function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - began) / 1000)), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <span role="timer" aria-label="Recording">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}

/** Containers that browsers record into and providers read, best first. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
/** Bits per second. The kernel accepts 25 MB, which is more than an hour and a half at this rate. */
const RATE = 32_000;

interface Recording {
  /** Stops recording. Resolves with the audio. */
  stop(): Promise<Blob>;
  /** Stops recording and discards the audio. */
  cancel(): void;
}

/** False if the page cannot use a microphone: over plain HTTP from another machine, or in an old browser. */
const canRecord = (): boolean => typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined;

/** Asks for the microphone and starts recording. Rejects with a message for the user. */
async function record(): Promise<Recording> {
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
