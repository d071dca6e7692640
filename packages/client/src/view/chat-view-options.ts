/** Options of a chat view. */
import type { EventType, TurnEvent } from '../api/types.ts';
import type { HandsRunner } from '../hands/runner.ts';
import type { StreamOptions } from '../streams/reconnecting.ts';

export interface ChatViewOptions extends StreamOptions {
  /** Messages per page, 1 to 500; default 50. */
  pageSize?: number | undefined;
  /** Executes the operations of the chat for this client; not closed with the view. */
  hands?: Pick<HandsRunner, 'take' | 'catchUp'> | undefined;
  /** Event types that are not sent, besides `text_delta` and `thinking_delta`, whose text the items contain. */
  mute?: readonly EventType[] | undefined;
  /**
   * Schedules a snapshot after a change: calls back once, soon. `requestAnimationFrame` in pages; default: at the end
   * of the tick.
   */
  schedule?: ((take: () => void) => void) | undefined;
  /** Called once with each event when it arrives. */
  onEvent?: ((event: TurnEvent) => void) | undefined;
}
