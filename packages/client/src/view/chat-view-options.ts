/** The options of a view of a chat. */
import type { EventType, TurnEvent } from '../api/types.ts';
import type { HandsRunner } from '../hands/runner.ts';
import type { StreamOptions } from '../streams/reconnecting.ts';

export interface ChatViewOptions extends StreamOptions {
  /** Messages a page, 1 to 500; default 50. */
  pageSize?: number | undefined;
  /** Executes the operations of the chat for this client; stays open when the view closes. */
  hands?: Pick<HandsRunner, 'take' | 'catchUp'> | undefined;
  /** Event types that are not sent: where item events come, `text_delta` and `thinking_delta` say the same again. */
  mute?: readonly EventType[] | undefined;
  /** When a snapshot is taken after a change: calls back once, soon. `requestAnimationFrame` in pages; default: at the end of the tick. */
  schedule?: ((take: () => void) => void) | undefined;
  /** Called with each event as it comes, once. */
  onEvent?: ((event: TurnEvent) => void) | undefined;
}
