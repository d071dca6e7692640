/** Watching a chat: the turn that runs, and with `follow` those to come. */
import type { TurnEvent } from '../api/types.ts';
import { type Connect, reconnecting, type StreamOptions } from './reconnecting.ts';
import { isResumed } from './resumed.ts';

/**
 * Without `follow` it ends behind the turn, or at once where none runs; with it, only with the signal.
 * `reset` comes where the turn that was told is told anew, or cannot be told any more: it stands in the history.
 */
export async function* liveEvents(
  connect: Connect,
  follow: boolean,
  options: StreamOptions,
): AsyncGenerator<TurnEvent, void> {
  /** Something of a turn was told, and not its end. */
  let open = false;
  let done = false;
  for await (const step of reconnecting<TurnEvent>(connect, options)) {
    if (step.step === 'event') {
      const { event } = step;
      if (event.type === 'done') done = true;
      // What may follow a done belongs to its turn.
      else if (event.type !== 'request_resolved') done = false;
      open = !done;
      yield event;
    } else if (step.step === 'opened') {
      const nothing = step.response.status === 204;
      if (open && (nothing || !isResumed(step.response))) {
        open = false;
        yield { type: 'reset' };
      }
      // A kernel that follows never says so; whoever else did is asked again.
      if (nothing && !follow) return;
    } else if (done && !follow) return;
  }
}
