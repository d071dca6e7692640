/** An operation of a client as an item. It is part of the live stream alone, so no block is behind it (ITEM-5). */
import { cutText, type EventOf, type Item, type ItemStatus, type Resolution } from '@chat-kernel/protocol';
import type { ItemPosition } from './to-items.ts';

/** The longest file content that a dialog shows, in characters. */
const MAX_DRAWN_CHARS = 64 * 1024;

/**
 * An operation for clients that only draw it: without bytes, and with the beginning of a long file. The client that
 * executes it reads the whole event.
 */
export function drawableOf({ data: _, ...event }: EventOf<'client_op'>): EventOf<'client_op'> {
  const { content } = event;
  if (typeof content !== 'string' || content.length <= MAX_DRAWN_CHARS) return event;
  return { ...event, content: `${cutText(content, MAX_DRAWN_CHARS)}\n[cut here: the client has all of it]` };
}

/**
 * The item of an operation.
 * @param ended null while the client has not answered; `failed`: the client, or its owner, did not do it
 */
export function itemOfOperation(
  event: EventOf<'client_op'>,
  { id, turn_id, created_at }: ItemPosition,
  ended: (Resolution & { failed: boolean }) | null,
): Item {
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
    ...params
  } = drawableOf(event);
  return {
    id,
    kind: 'client_op',
    status: ended === null ? 'running' : statusOf(ended),
    turn_id,
    created_at,
    op_id,
    action,
    params,
    ...(decisions && { decisions }),
    ...(ended?.decision !== undefined && { decision: ended.decision }),
    ...(ended && { resolution: { reason: ended.reason } }),
    ...(agent !== undefined && { agent }),
    ...(hands !== undefined && { hands }),
    ...(sandbox !== undefined && { sandbox }),
  };
}

function statusOf({ reason, failed }: Resolution & { failed: boolean }): ItemStatus {
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
