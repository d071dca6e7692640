/** Opens the requests that a turn sends to its clients. */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { type BeginContext, type NewRequest, OperationError, type RequestHandle } from '../ports/index.ts';
import type { Run, RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * Opens requests for a turn.
 * @param progress receives snapshots of the client's work; dropped by default
 */
export function requestOpener(
  turn: RunningTurn,
  { requests }: Pick<TurnServices, 'requests'>,
  progress: (output: string) => void = () => {},
): (opening: NewRequest) => RequestHandle {
  const { id: turn_id, chat_id } = turn.record;
  const { feed, held, life } = turn;
  return opening => {
    turn.signal.throwIfAborted();
    // Work that a call left running may ask after the turn has closed, and that request would never end.
    if (!turn.life.isOpen) throw new OperationError(UNFINISHED_RESULT);
    const isShown = () => turn.record.parameters.consents === true && feed.log.read;
    return requests.open({ chat_id, turn_id, feed, life, held, isShown, progress }, opening);
  };
}

/** Ends each request when nothing waits for its answer, as well as with its turn. */
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
  services: Pick<TurnServices, 'requests'>,
): BeginContext {
  return {
    turn_id: run.turn.record.id,
    call_id: callId,
    turn_context: run.turn.context,
    // Progress of any request of the call is shown at the call.
    request: requestOpener(run.turn, services, output => run.step.progress(callId, output)),
  };
}
