/**
 * Converts blocks to items (ITEM-11). The live feed, replays and the pages of history all call these functions, so they
 * cannot differ.
 */
import type { Attachment, Item, ItemStatus, VersionMark } from '@chat-kernel/protocol';
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { type BlockInternal, isOfMaster, type StoredBlock, type StoredMessage } from '../ports/index.ts';

export type ToolResult = Extract<StoredBlock, { type: 'tool_result' }>;
export type ToolUse = Extract<StoredBlock, { type: 'tool_use' }>;

/** The id and time of an item, and whether its step still runs. */
export interface ItemPosition {
  id: string;
  turn_id: string | null;
  created_at: string;
  running?: boolean;
}

/** The items of a stored message, with the ids of history (ITEM-4); a message may have none. */
export function itemsOfMessage(
  message: StoredMessage,
  resultOf: (callId: string) => ToolResult | undefined,
  runningTurn: string | null,
  versions?: VersionMark,
): Item[] {
  if (message.role === 'user' && message.content.every(block => block.internal?.note === undefined)) {
    return itemsOfUserMessage(message, versions);
  }
  const items: Item[] = [];
  for (const block of message.content) {
    const result = block.type === 'tool_use' ? resultOf(block.id) : undefined;
    const unanswered = block.type === 'tool_use' && result === undefined;
    const item = itemOfBlock(
      block,
      {
        id: `${message.id}:${items.length}`,
        turn_id: message.turn_id,
        created_at: message.created_at,
        running: unanswered && message.turn_id !== null && message.turn_id === runningTurn,
      },
      result,
    );
    if (item !== null) items.push(item);
  }
  return items;
}

/** The item of one block; null if the block is not shown as one. */
export function itemOfBlock(block: StoredBlock, place: ItemPosition, result?: ToolResult): Item | null {
  switch (block.type) {
    case 'text':
      return itemOfText(block.text, block.internal, place);
    case 'thinking':
      // Providers send thinking that only they can read; there is nothing to show to users.
      if (block.text === '' && !place.running) return null;
      return { ...common('thinking', place, block.internal?.status), text: block.text };
    case 'tool_use':
      return itemOfCall(block, place, result);
    case 'tool_result':
    case 'image':
    case 'context':
    case 'quote':
      return null;
    default:
      return block satisfies never;
  }
}

function itemOfText(text: string, internal: BlockInternal | undefined, place: ItemPosition): Item | null {
  if (internal?.note !== undefined) {
    return { ...common('machine_note', place), note: internal.note, text };
  }
  if (internal?.compaction !== undefined) return common('compaction', place);
  if (internal?.drawn !== undefined) return { ...common('image', place), ...internal.drawn };
  if (text === '' && !place.running) return null;
  return {
    ...common('agent_message', place, internal?.status),
    text,
    ...(internal?.model !== undefined && { model: internal.model }),
    ...(internal?.usage && !place.running && { usage: internal.usage }),
  };
}

function itemOfCall(block: ToolUse, place: ItemPosition, result: ToolResult | undefined): Item {
  const call = { call_id: block.id, name: block.name, input: block.input };
  if (result === undefined) {
    if (place.running) return { ...common('tool_call', place), ...call, is_error: false };
    // The turn is over, so the call will not be answered: the item shows the same text that repair gives the model.
    return { ...common('tool_call', place, 'aborted'), ...call, output: UNFINISHED_RESULT, is_error: true };
  }
  const status = result.internal?.synthetic ? 'aborted' : result.is_error ? 'failed' : 'completed';
  return {
    ...common('tool_call', { ...place, running: false }, status),
    ...call,
    output: result.output,
    is_error: result.is_error,
  };
}

function itemsOfUserMessage(message: StoredMessage, versions?: VersionMark): Item[] {
  const place = { id: `${message.id}:0`, turn_id: message.turn_id, created_at: message.created_at };
  if (message.content.some(block => block.internal?.compaction)) return [common('compaction', place)];
  if (message.content.every(isNothingSaid)) return [];

  const texts: string[] = [];
  const attachments: Attachment[] = [];
  let quote: { ext_id?: string; text: string } | undefined;
  for (const block of message.content) {
    if (block.type === 'text' && block.internal?.file) {
      attachments.push({ kind: 'file', ...block.internal.file });
    } else if (block.type === 'text') {
      texts.push(block.text);
    } else if (block.type === 'image') {
      attachments.push({ kind: 'image', media_type: block.media_type, data: block.data });
    } else if (block.type === 'quote') {
      quote = { ...(block.ext_id !== undefined && { ext_id: block.ext_id }), text: block.text };
    }
  }
  return [
    {
      ...common('user_message', place),
      text: texts.join('\n'),
      attachments,
      ...(message.sender !== undefined && { sender: message.sender }),
      master: isOfMaster(message),
      ...(versions && { versions }),
      message_id: message.id,
      ...(quote && { quote }),
      ...(message.position === null && { waiting: true as const }),
    },
  ];
}

/** Blocks that no person wrote: results, their images, and context for the model. */
const isNothingSaid = ({ type, internal }: StoredBlock): boolean =>
  type === 'tool_result' || type === 'context' || internal?.of_call !== undefined;

function common<Kind extends Item['kind']>(kind: Kind, place: ItemPosition, ended: ItemStatus = 'completed') {
  return {
    id: place.id,
    kind,
    status: place.running ? ('running' as const) : ended,
    turn_id: place.turn_id,
    created_at: place.created_at,
  };
}
