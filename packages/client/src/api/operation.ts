/** An operation that the kernel asks for, as its owner is shown it. */
import type { EventOf, JsonObject } from './types.ts';

export interface Operation {
  op_id: string;
  chat_id: string;
  action: string;
  params: JsonObject;
  /** What its owner may say. Absent: a grant covers it, nobody is to be asked. */
  decisions?: readonly string[];
  /** The sub-agent that asks: its name belongs into the dialog. */
  agent?: string;
}

/** The parameters of the action stand beside the fields that all operations have. */
export function operationOf(chat_id: string, event: EventOf<'client_op'>): Operation {
  const {
    type: _,
    id: __,
    op_id,
    action,
    decisions,
    agent,
    client_id: ___,
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
  };
}
