/** Parses an operation as the kernel must send it. */
import type { EventOf, JsonObject } from '@chat-kernel/protocol';

export interface Operation {
  op_id: string;
  action: string;
  params: JsonObject;
  /** Absent: no decision is requested. */
  decisions?: readonly string[];
  /** The sub-agent that asks. */
  agent?: string;
}

/**
 * The parameters of the action are next to the fields that all operations have. Throws if the operation has two ids.
 */
export function operationOf(event: EventOf<'client_op'>): Operation {
  const { type: _, id, op_id, action, decisions, agent, client_id: __, replayed: ___, ...params } = event;
  if (id !== op_id) throw new Error(`an operation has two ids: ${id}, ${op_id}`);
  return {
    op_id,
    action,
    params,
    ...(decisions !== undefined && { decisions }),
    ...(agent !== undefined && { agent }),
  };
}
