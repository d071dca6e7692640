/** Lists the tools of a server again when it announces a change: once for many changes, and again for later ones. */
import type { Clock } from '@chat-kernel/kernel';

/** Changes are announced in bursts: all within this time count as one. */
const REFRESH_AFTER_MS = 250;

/**
 * Returns the function to call for each change.
 * @param refresh lists the tools; must not reject
 */
export function toolRefresh(clock: Clock, refresh: () => Promise<void>): () => void {
  let state: 'idle' | 'soon' | 'running' | 'again' = 'idle';
  const run = async () => {
    state = 'running';
    await refresh();
    const again = (state as string) === 'again';
    state = 'idle';
    if (again) request();
  };
  const request = () => {
    if (state === 'running') state = 'again';
    if (state !== 'idle') return;
    state = 'soon';
    clock.after(REFRESH_AFTER_MS, () => void run());
  };
  return request;
}
