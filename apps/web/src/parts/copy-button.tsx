/** Copies a text, and shows a check mark for a moment. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { IconButton } from './button.tsx';

export function CopyButton({ text, label }: { text(): string; label: string }) {
  const { notices } = useKernel();
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      notices.say("Couldn't copy. Allow clipboard access in your browser.", 'error');
    }
  };
  return <IconButton label={label} icon={done ? 'check' : 'copy'} onClick={() => void copy()} />;
}
