/** The clock that renders the screen again while something on it counts seconds. */
import { useEffect, useRef, useState } from 'react';
import type { ConnectionStatus, Status, TurnState } from '../status/status-line.ts';

const TICK_MS = 200;
const TURN_COUNTS: Record<TurnState['state'], boolean> = {
  idle: false,
  queued: false,
  running: true,
  compacting: true,
  sleeping: false,
};
const CONNECTION_COUNTS: Record<ConnectionStatus['state'], boolean> = {
  connected: false,
  connecting: false,
  reconnecting: true,
  offline: false,
};

export function useClock({ turn, connection }: Status, clock: () => number): () => number {
  const [, redraw] = useState(0);
  const drawn = useRef(0);
  drawn.current = performance.now();
  const counts = TURN_COUNTS[turn.state] || CONNECTION_COUNTS[connection.state];
  useEffect(() => {
    if (!counts) return;
    // Where the screen is drawn anyway, the clock goes on with it.
    const timer = setInterval(() => {
      if (performance.now() - drawn.current >= TICK_MS * 0.75) redraw(ticks => ticks + 1);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [counts]);
  return clock;
}
