/** Who asks, and for what: as modules are told it with every call and at every stage (MOD-5). */
import type { Anchor, TurnContext } from '@chat-kernel/protocol';
import type { Trust } from '../persons/trust.ts';

/** The facts that a turn and the request for one have in common. */
interface TurnOrRequest {
  client_ops?: boolean | undefined;
  anchor?: Anchor | undefined;
}

/** Privileged: the master, and not through a surface. A guest who comes without a sender is not. */
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
