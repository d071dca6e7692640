/** What a view of a chat may be told. */
import type { TurnEvent } from '../api/types.ts';
import type { HandsRunner } from '../hands/runner.ts';
import type { StreamOptions } from '../streams/reconnecting.ts';

export interface ChatViewOptions extends StreamOptions {
  /** Messages a page, 1 to 500; default 50. */
  pageSize?: number | undefined;
  /** Executes what the kernel asks of this client in the chat; they stay open when the view closes. */
  hands?: Pick<HandsRunner, 'take' | 'catchUp'> | undefined;
  /** Told each event as it comes, once. */
  onEvent?: ((event: TurnEvent) => void) | undefined;
}
