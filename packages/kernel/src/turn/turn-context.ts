/**
 * Builds the context of a turn, with its speaker and surface, that modules receive with every call and stage (MOD-5).
 */
import type { Anchor, TurnContext } from '@chat-kernel/protocol';
import type { Trust } from '../persons/persons.ts';

/** The fields that a turn and a request for one have in common. */
interface TurnOrRequest {
  client_ops?: boolean | undefined;
  anchor?: Anchor | undefined;
}

/**
 * The context of a turn. It is privileged if the master speaks without a surface in between; a guest without sender is
 * not.
 */
export function buildTurnContext(
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
