/** What the turn does while nothing of it is to be seen, and why it may take a while. */
import type { ChatSnapshot } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { seconds } from '../base/amounts.ts';
import { wholeTime } from '../base/times.ts';
import { StatusMark } from '../items/status-mark.tsx';

export function TurnStatus({ snapshot: { turn, busy, items } }: { snapshot: ChatSnapshot }) {
  const since = useSince(busy, turn?.turn_id ?? null);
  if (!turn || !busy) return null;
  const last = items.findLast(item => item.turn_id === turn.turn_id && item.kind !== 'user_message');
  const isWriting = last?.kind === 'agent_message' && last.status === 'running';
  return (
    <p className="turn-status" role="status">
      <StatusMark status="running" />
      <span>{wordsOf(turn, isWriting)}</span>
      {since !== null && since > 2000 ? <span className="tag">{seconds(since)}</span> : null}
    </p>
  );
}

function wordsOf(turn: NonNullable<ChatSnapshot['turn']>, isWriting: boolean): string {
  const { status, position, sleeping, compacting, requests } = turn;
  if (compacting) return 'Folding older messages into the summary';
  if (sleeping)
    return `Sleeps${sleeping.until ? ` until ${wholeTime(sleeping.until)}` : ''}${sleeping.reason ? `: ${sleeping.reason}` : ''}`;
  if (status === 'queued')
    return position ? `Waits behind ${position} other${position === 1 ? '' : 's'}` : 'Waits';
  if (requests.length > 0) return 'Waits for an answer';
  return isWriting ? 'Writing' : 'Working';
}

/** Milliseconds since this page first saw the turn; null while none runs. */
function useSince(busy: boolean, turnId: string | null): number | null {
  const [since, setSince] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn begins at nothing
  useEffect(() => {
    if (!busy) return setSince(null);
    const begun = Date.now();
    const timer = setInterval(() => setSince(Date.now() - begun), 1000);
    return () => clearInterval(timer);
  }, [busy, turnId]);
  return since;
}
