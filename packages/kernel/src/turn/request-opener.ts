/** How a turn asks its clients. */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { type BeginContext, type NewRequest, OperationError, type RequestHandle } from '../ports/index.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/** Asks in the name of a turn that is open. @param progress shows what the client shows; default: nobody sees it */
export function requestOpener(
  turn: RunningTurn,
  { requests }: Pick<TurnServices, 'requests'>,
  progress: (output: string) => void = () => {},
): (opening: NewRequest) => RequestHandle {
  const { id: turn_id, chat_id } = turn.record;
  return opening => {
    turn.signal.throwIfAborted();
    // What a call has left running may come here after all was closed: nothing would end its request.
    if (!turn.life.isOpen) throw new OperationError(UNFINISHED_RESULT);
    return requests.open({ chat_id, turn_id, feed: turn.feed, progress }, opening);
  };
}

/** What a call may do as soon as it is told. */
export function beginContext(
  run: Run,
  callId: string,
  services: Pick<TurnServices, 'requests'>,
): BeginContext {
  return {
    turn_id: run.turn.record.id,
    call_id: callId,
    turn_context: run.turn.context,
    // Whatever asks, progress is shown at the call.
    request: requestOpener(run.turn, services, output => run.step.progress(callId, output)),
  };
}
