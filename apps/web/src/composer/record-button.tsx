/** Records speech and inserts its transcript into the message without sending it. Esc discards the recording. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { canRecord, type Recording, record } from './recording.ts';

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
