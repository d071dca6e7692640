/** An operation of client_op or consent_request, as its owner is shown it. */
import type { EventOf, JsonObject } from './types.ts';

/** How commands are confined. */
export type SandboxKind = 'bwrap' | 'sandbox-exec' | 'none';

export interface Operation {
  op_id: string;
  chat_id: string;
  action: string;
  params: JsonObject;
  /** The offered decisions; absent if a grant already covers the operation. */
  decisions?: readonly string[];
  /** All commands or paths of the call, if the decision covers them. */
  call?: readonly string[];
  /** The name of the sub-agent that asks, for the dialog. */
  agent?: string;
  /**
   * The machine that executes the operation, if it is not this client's: a stand-by machine, or null for the kernel's. Such
   * an operation needs only a decision.
   */
  hands?: string | null;
  /** The sandbox that confines the operation to its directory; absent: not known, or it needs none. */
  sandbox?: SandboxKind;
  /** Why the kernel asks, in one sentence; only for requests for consent. */
  reason?: string;
  /** The sources from outside that the turn has read; only for requests for consent. */
  outside?: readonly string[];
}

/** A request to execute an operation, or to decide about one that another party executes. */
export type OperationEvent = EventOf<'client_op' | 'consent_request'>;

/** Returns the operation of an event, which mixes the parameters with the common fields of operations. */
export function toOperation(chat_id: string, event: OperationEvent): Operation {
  const { type: _, id: __, client_id: ___, replayed: ____, ...given } = event as EventOf<'consent_request'>;
  const { op_id, action, decisions, call, agent, hands, sandbox, reason, outside, ...params } = given;
  return {
    op_id,
    chat_id,
    action,
    params,
    ...(decisions !== undefined && { decisions }),
    ...(call !== undefined && { call }),
    ...(agent !== undefined && { agent }),
    ...(hands !== undefined && { hands }),
    ...(sandbox !== undefined && { sandbox }),
    ...(reason !== undefined && { reason, outside }),
  };
}

/**
 * True if the event only asks for a decision. Older kernels send such requests as `client_op`, with null or a machine
 * in `hands`.
 */
export function isConsentRequest(event: OperationEvent): boolean {
  if (event.type === 'consent_request') return true;
  const { hands } = event as { hands?: string | null };
  return hands === null || (hands !== undefined && event.decisions !== undefined);
}
