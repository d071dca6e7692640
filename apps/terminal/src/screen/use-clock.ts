/** Draws again while something on the screen counts seconds, and only then. */
import { useEffect, useState } from 'react';
import type { Status } from '../status/status-line.ts';

const TICK_MS = 120;

export function useClock({ turn, connection }: Status, clock: () => number): () => number {
  const [, redraw] = useState(0);
  const counts = ['running', 'compacting'].includes(turn.state) || connection.state === 'reconnecting';
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => redraw(ticks => ticks + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [counts]);
  return clock;
}
