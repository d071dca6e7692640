/** How the calls of a turn ask its clients. */
import type { BeginContext } from '../ports/index.ts';
import type { RunningTurn, Workshop } from './running.ts';

/** What a call may do as soon as it is told. */
export function beginContext(turn: RunningTurn, callId: string, { requests }: Workshop): BeginContext {
  const { id: turn_id, chat_id } = turn.record;
  const { feed, draft } = turn;
  // Whatever asks, progress is shown at the call.
  const progress = (output: string) => draft.progress(callId, output);
  return {
    turn_id,
    call_id: callId,
    request(opening) {
      turn.signal.throwIfAborted();
      return requests.open({ chat_id, turn_id, feed, progress }, opening);
    },
  };
}
