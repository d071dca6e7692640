/** An operation of client_op, as the owner of the hands is shown it. */
import type { EventOf, JsonObject } from './types.ts';

export interface Operation {
  op_id: string;
  chat_id: string;
  action: string;
  params: JsonObject;
  /** The decisions that are offered to the owner. Absent: a grant covers the operation, nobody is asked. */
  decisions?: readonly string[];
  /** The sub-agent that asks: the dialog shows its name. */
  agent?: string;
  /**
   * The machine that is going to do it, where that is none of this client: one that stands by, or null for that of the
   * kernel. It wants a decision alone.
   */
  hands?: string | null;
  /** What holds an operation of the kernel itself to the chat's directory; none: nothing does. */
  sandbox?: 'bwrap' | 'none';
}

/** Returns the operation of an event, in which the parameters stand beside the fields that all operations have. */
export function operationOf(chat_id: string, event: EventOf<'client_op'>): Operation {
  const {
    type: _,
    id: __,
    op_id,
    action,
    decisions,
    agent,
    client_id: ___,
    hands,
    sandbox,
    replayed: ____,
    ...params
  } = event;
  return {
    op_id,
    chat_id,
    action,
    params,
    ...(decisions !== undefined && { decisions }),
    ...(agent !== undefined && { agent }),
    ...(hands !== undefined && { hands }),
    ...(sandbox !== undefined && { sandbox }),
  };
}

/** The events that ask nothing of hands. A new event type does not compile until somebody has decided. */
export type EventWithoutHands =
  | 'reset'
  | 'queued'
  | 'sleeping'
  | 'item_started'
  | 'item_delta'
  | 'item_completed'
  | 'text_delta'
  | 'thinking_delta'
  | 'tool_call'
  | 'tool_progress'
  | 'tool_result'
  | 'image'
  | 'plan'
  | 'usage'
  | 'compacting'
  | 'turn_squeezed'
  | 'error'
  | 'done';
