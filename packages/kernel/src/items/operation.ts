/**
 * Creates the items of client operations and of requests for consent. They are only part of the live stream and have
 * no block (ITEM-5).
 */
import {
  type EventOf,
  type Item,
  type ItemStatus,
  operationParams,
  type Resolution,
} from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import type { ItemPosition } from './to-items.ts';

export type OperationEvent = EventOf<'client_op' | 'consent_request'>;

/** The maximum length of file content in a dialog, in characters. */
const MAX_DRAWN_CHARS = 64 * 1024;

/**
 * An operation for clients that only display it: without bytes, and with the beginning of a long file. The client that
 * executes it reads the whole event.
 */
export function toDrawable<Event extends OperationEvent>({ data: _, ...rest }: Event): Event {
  // Only a parameter of the action is left out.
  const event = rest as unknown as Event;
  const { content } = event;
  if (typeof content !== 'string' || content.length <= MAX_DRAWN_CHARS) return event;
  return {
    ...event,
    content: `${cutText(content, MAX_DRAWN_CHARS)}\n[truncated: the client has the full text]`,
  };
}

/**
 * The item of an operation.
 * @param ended null while the client has not answered; `failed`: the client or its owner did not execute it
 */
export function itemOfOperation(
  event: OperationEvent,
  { id, turn_id, created_at }: ItemPosition,
  ended: (Resolution & { failed: boolean }) | null,
): Item {
  const { op_id, action, agent } = event;
  const common = {
    id,
    status: ended === null ? 'running' : toItemStatus(ended),
    turn_id,
    created_at,
    op_id,
    action,
    params: operationParams(toDrawable(event)),
    ...(ended?.decision !== undefined && { decision: ended.decision }),
    ...(ended && { resolution: { reason: ended.reason } }),
    ...(agent !== undefined && { agent }),
  } as const;
  if (event.type === 'client_op') {
    const { decisions, hands } = event;
    return {
      ...common,
      kind: 'client_op',
      ...(decisions && { decisions }),
      ...(hands !== undefined && { hands }),
    };
  }
  const { decisions, reason, outside, hands, sandbox } = event;
  return {
    ...common,
    kind: 'consent_request',
    decisions,
    reason,
    outside,
    ...(hands !== undefined && { hands }),
    ...(sandbox !== undefined && { sandbox }),
  };
}

function toItemStatus({ reason, failed }: Resolution & { failed: boolean }): ItemStatus {
  switch (reason) {
    case 'answered':
      return failed ? 'failed' : 'completed';
    case 'expired':
      return 'failed';
    case 'turn_ended':
    case 'cancelled':
      return 'aborted';
    default:
      return reason satisfies never;
  }
}
