/** Tells whether the connection to the kernel is lost. */
import type { StreamConnection } from '@chat-kernel/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from './context.ts';

/** Shorter interruptions are not shown. */
const NOTICE_DELAY_MS = 1500;

/** Returns true until the connection is open again. A hidden page closes its streams, so nothing is lost then. */
export function useIsLost({ state }: StreamConnection): boolean {
  const isHidden = useSyncExternalStore(watchVisibility, () => document.hidden);
  const [isDown, setDown] = useState(false);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    // A first attempt may take long on a slow network. The others follow a failure.
    if (state !== 'connecting') setDown(state === 'waiting');
  }, [state]);
  useEffect(() => {
    if (!isDown || isHidden) return setLost(false);
    const timer = setTimeout(() => setLost(true), NOTICE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isDown, isHidden]);
  return isLost;
}

/** The same for the connection over which the page follows the kernel. */
export const useDisconnected = (): boolean => useIsLost(useStore(useKernel().connection));

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
