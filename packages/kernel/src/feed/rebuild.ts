/** Rebuilds the feed of a turn that ended long ago from its messages, for a repeated start (TURN-12). */
import type { TurnEnd } from '@chat-kernel/protocol';
import { unfinished } from '../history/repair.ts';
import { itemOfBlock, type ToolUse } from '../items/to-items.ts';
import type { NewMessage, StoredBlock, TurnRecord } from '../ports/index.ts';
import { TurnFeed } from './feed.ts';
import type { LiveItem, StreamedBlock } from './live-items.ts';

/**
 * The first number of event ids in a rebuilt feed, higher than all in the original log: the same id must never name two
 * events.
 */
const REBUILT_FROM = 1e13;

/** Rebuilds the closed feed of an ended turn. @param messages the messages of the turn, oldest first */
export function rebuildFeed(
  turn: TurnRecord & { status: TurnEnd },
  messages: readonly NewMessage[],
): TurnFeed {
  const feed = new TurnFeed(turn.id, REBUILT_FROM);
  const own = messages.filter(message => message.id !== turn.message_id);
  replayInto(feed, own, { open: false });
  if (turn.error) feed.error(turn.error);
  feed.done({
    status: turn.status,
    stop_reason: turn.stop_reason ?? 'other',
    message_ids: own.map(message => message.id),
    usage: turn.usage,
  });
  return feed;
}

/**
 * Writes the events of stored messages into a feed, like those that were sent when the messages were written.
 * @param open true: calls without a result stay open; else they get the synthetic one
 * @returns the open calls by id
 */
export function replayInto(
  feed: TurnFeed,
  messages: readonly NewMessage[],
  { open }: { open: boolean },
): Map<string, LiveItem> {
  const going = new Map<string, LiveItem>();
  const results = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap(block => (block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [])),
    ),
  );
  for (const message of messages) {
    if (message.content[0]?.internal?.compaction) feed.entry(message.content[0], message.created_at);
    if (message.role === 'user') continue;
    for (const block of message.content) tell(block, message.created_at);
  }
  return going;

  function tell(block: StoredBlock, at: string): void {
    switch (block.type) {
      case 'tool_use':
        tellCall(block, at);
        break;
      case 'text':
      case 'thinking':
        tellWritten(block, at);
        break;
      // Results are sent with their calls. Blocks of the other kinds come from callers, and no stream contains them.
      case 'tool_result':
      case 'image':
      case 'context':
      case 'quote':
        break;
      default:
        block satisfies never;
    }
  }

  /** Text of the model is sent as a block that grows; markers are sent complete. */
  function tellWritten(block: StreamedBlock, at: string): void {
    const item = itemOfBlock(block, { id: '', turn_id: null, created_at: at });
    switch (item?.kind) {
      case 'agent_message':
      case 'thinking':
        tellText(block, at);
        break;
      case 'image':
        feed.image(block, at);
        break;
      case 'machine_note':
        feed.entry(block, at);
        break;
      // Skipped here: a block without an item is not shown, the loop over messages sends compactions, and text and
      // thinking have no item of another kind.
      case undefined:
      case 'compaction':
      case 'user_message':
      case 'tool_call':
      case 'client_op':
      case 'consent_request':
      case 'plan':
        break;
      default:
        item satisfies never;
    }
  }

  function tellCall(call: ToolUse, at: string): void {
    const item = feed.call(call, at);
    const result = results.get(call.id);
    if (result !== undefined) feed.result(item, result);
    else if (open) going.set(call.id, item);
    // A rewind may have deleted the result but not the call.
    else feed.result(item, unfinished(call.id));
  }

  function tellText(block: StreamedBlock, at: string): void {
    // A block begins empty, as it did live, and then gets its text in one piece.
    const growing = { ...block, text: '' };
    const item = feed.begin(growing, at);
    growing.text = block.text;
    feed.text(item, block.text);
    feed.end(item);
  }
}
