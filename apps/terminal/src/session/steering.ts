/**
 * Sends a message after the current step. The API has no such message: it is queued, and the running turn is canceled as
 * soon as its tool calls have results, which stay in the history.
 */
import type { ChatSnapshot, ChatView } from '@chat-kernel/client';

/** Resolves when the turn has ended or was canceled. @throws Error if the view closes first */
export async function endAfterStep(view: ChatView, cancel: () => Promise<unknown>): Promise<void> {
  const { turn, busy } = view.getSnapshot();
  if (turn === null || !busy) return;
  const before = countCalls(turn).done;
  const isSame = (snapshot: ChatSnapshot) => snapshot.busy && snapshot.turn?.turn_id === turn.turn_id;
  const then = await view.until(snapshot => {
    const { done, running } = countCalls(snapshot.turn);
    return !isSame(snapshot) || (done > before && running === 0);
  });
  if (isSame(then)) await cancel();
}

function countCalls(turn: ChatSnapshot['turn']): { done: number; running: number } {
  const calls = (turn?.items ?? []).filter(({ kind }) => kind === 'tool_call');
  const running = calls.filter(({ status }) => status === 'running').length;
  return { done: calls.length - running, running };
}
