/** Streams the events of a chat: of the running turn, and with `follow` of later ones. */
import type { TurnEvent } from '../api/types.ts';
import { isResumed } from './event-stream.ts';
import { type Connect, reconnecting, type StreamOptions } from './reconnecting.ts';

/**
 * Without `follow` the stream ends after the turn, or immediately if none runs; with it, only by the signal. `reset` is
 * sent if the events of the turn start over, or if no more will come because the turn is in the history.
 */
export async function* liveEvents(
  connect: Connect,
  follow: boolean,
  options: StreamOptions,
): AsyncGenerator<TurnEvent, void> {
  /** An event of a turn was sent, but not its end. */
  let open = false;
  let done = false;
  /** A reset was sent for this connection. */
  let told = false;
  for await (const step of reconnecting<TurnEvent>(connect, options)) {
    if (step.step === 'event') {
      const { event } = step;
      if (event.type === 'reset') {
        // The kernel's own reset, for missed turns, even if none was open here.
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
      // A kernel never responds this way to `follow`: the response came from something else, so retry.
      if (nothing && !follow) return;
    } else if (done && !follow) return;
  }
}
