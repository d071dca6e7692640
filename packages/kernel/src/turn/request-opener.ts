/** The opening of requests: a turn asks its clients. */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { type BeginContext, type NewRequest, OperationError, type RequestHandle } from '../ports/index.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * Opens requests in the name of a turn.
 * @param progress gets snapshots of the client's work; by default they are dropped
 */
export function requestOpener(
  turn: RunningTurn,
  { requests }: Pick<TurnServices, 'requests'>,
  progress: (output: string) => void = () => {},
): (opening: NewRequest) => RequestHandle {
  const { id: turn_id, chat_id } = turn.record;
  return opening => {
    turn.signal.throwIfAborted();
    // Work that a call has left running may ask after the closing of the turn, and nothing would end that request.
    if (!turn.life.isOpen) throw new OperationError(UNFINISHED_RESULT);
    return requests.open({ chat_id, turn_id, feed: turn.feed, progress }, opening);
  };
}

/** Requests that end when nobody wants their answer any more, as well as with their turn. */
export const whileWanted =
  (request: (opening: NewRequest) => RequestHandle, unwanted: AbortSignal) =>
  (opening: NewRequest): RequestHandle => {
    unwanted.throwIfAborted();
    const handle = request(opening);
    const end = () => handle.end();
    unwanted.addEventListener('abort', end);
    void handle.ending.then(() => unwanted.removeEventListener('abort', end));
    return handle;
  };

/** The context of a call from the moment that it is shown. */
export function beginContext(
  run: Run,
  callId: string,
  services: Pick<TurnServices, 'requests' | 'schedules'>,
): BeginContext {
  return {
    turn_id: run.turn.record.id,
    call_id: callId,
    turn_context: run.turn.context,
    schedules: services.schedules,
    // Progress of any request of the call is shown at the call.
    request: requestOpener(run.turn, services, output => run.step.progress(callId, output)),
  };
}
