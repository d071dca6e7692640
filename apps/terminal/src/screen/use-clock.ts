/** The clock that renders the screen again while something on it counts seconds. */
import { useEffect, useState } from 'react';
import type { ConnectionStatus, Status, TurnState } from '../status/status-line.ts';

const TICK_MS = 120;
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
  const counts = TURN_COUNTS[turn.state] || CONNECTION_COUNTS[connection.state];
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => redraw(ticks => ticks + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [counts]);
  return clock;
}
