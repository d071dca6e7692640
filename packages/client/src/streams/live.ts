/** The events of a chat: of the turn that runs, and with `follow` of those to come. */
import type { TurnEvent } from '../api/types.ts';
import { type Connect, reconnecting, type StreamOptions } from './reconnecting.ts';
import { isResumed } from './resumed.ts';

/**
 * Without `follow` it ends after the turn, or at once where none runs; with it, only with the signal.
 * `reset` comes where the events of the turn start over, or no more of them will come: the turn stands in the history.
 */
export async function* liveEvents(
  connect: Connect,
  follow: boolean,
  options: StreamOptions,
): AsyncGenerator<TurnEvent, void> {
  /** An event of a turn was given, and not its end. */
  let open = false;
  let done = false;
  /** A reset was given for this connection. */
  let told = false;
  for await (const step of reconnecting<TurnEvent>(connect, options)) {
    if (step.step === 'event') {
      const { event } = step;
      if (event.type === 'reset') {
        // The kernel's own, for turns that were missed, even where none was open here.
        open = false;
        if (!told) yield event;
        continue;
      }
      if (event.type === 'done') done = true;
      // A request_resolved may follow the done of its turn.
      else if (event.type !== 'request_resolved') done = false;
      open = !done;
      yield event;
    } else if (step.step === 'opened') {
      const nothing = step.response.status === 204;
      told = open && (nothing || !isResumed(step.response));
      if (told) {
        open = false;
        yield { type: 'reset' };
      }
      // A kernel that follows never answers so: something else did, and the kernel is asked again.
      if (nothing && !follow) return;
    } else if (done && !follow) return;
  }
}
