/**
 * The context of a turn, its speaker and its surface, as modules get it with every call and at every stage (MOD-5).
 */
import type { Anchor, TurnContext } from '@chat-kernel/protocol';
import type { Trust } from '../persons/trust.ts';

/** The facts that a turn and the request for one have in common. */
interface TurnOrRequest {
  client_ops?: boolean | undefined;
  anchor?: Anchor | undefined;
}

/**
 * The context of a turn. Privileged is the master where no surface stands between; a guest without a sender is not.
 */
export function turnContextOf(
  chat_id: string,
  { client_ops = false, anchor }: TurnOrRequest,
  sender: string | undefined,
  { master, trusted }: Trust,
): TurnContext {
  return {
    chat_id,
    sender: sender ?? '',
    master,
    trusted,
    privileged: master && trusted && anchor === undefined,
    client_ops,
    ...(anchor && { anchor }),
  };
}
