/** What holds all chats up: a kernel that is away, or asleep. */
import { useEffect, useState } from 'react';
import { useStore } from '../base/store.ts';
import { shortTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Icon } from '../parts/icon.tsx';

/** A line that is back within this time was never gone. */
const PATIENCE_MS = 1500;

export function KernelState() {
  const { client, connection, sleep, notices } = useKernel();
  const { state } = useStore(connection);
  const sleeping = useStore(sleep);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (state === 'open') return setGone(false);
    const timer = setTimeout(() => setGone(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  if (isGone) {
    return (
      <p className="kernel-state bad" role="status">
        <Icon name="alert" /> The kernel does not answer. This page goes on by itself once it does.
      </p>
    );
  }
  if (!sleeping?.asleep) return null;
  return (
    <p className="kernel-state" role="status">
      <Icon name="moon" />
      <span>
        The kernel sleeps{sleeping.until ? ` until ${shortTime(sleeping.until)}` : ''}: turns wait.
        {sleeping.reason ? ` ${sleeping.reason}` : ''}
      </span>
      <button type="button" onClick={() => void client.wake().catch(notices.fail)}>
        Wake
      </button>
    </p>
  );
}
