/**
 * A message that goes in after the present step. The API has no such message: it waits like any other, and the turn
 * before it is ended as soon as the calls that run have their results, which stay in the history.
 */
import type { ChatSnapshot, ChatView } from '@chat-kernel/client';

/** Resolves when the turn has ended, by itself or by `cancel`. @throws Error where the view ends before */
export async function endAfterStep(view: ChatView, cancel: () => Promise<unknown>): Promise<void> {
  const { turn, busy } = view.getSnapshot();
  if (turn === null || !busy) return;
  const before = callsOf(turn).done;
  const isSame = (snapshot: ChatSnapshot) => snapshot.busy && snapshot.turn?.turn_id === turn.turn_id;
  const then = await view.until(snapshot => {
    const { done, running } = callsOf(snapshot.turn);
    return !isSame(snapshot) || (done > before && running === 0);
  });
  if (isSame(then)) await cancel();
}

function callsOf(turn: ChatSnapshot['turn']): { done: number; running: number } {
  const calls = (turn?.items ?? []).filter(({ kind }) => kind === 'tool_call');
  const running = calls.filter(({ status }) => status === 'running').length;
  return { done: calls.length - running, running };
}
