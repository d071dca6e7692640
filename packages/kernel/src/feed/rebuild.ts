/** The feed of a turn that ended long ago, made again from its messages: for a repeated start (TURN-12). */

import type { TurnEnd } from '@chat-kernel/protocol';
import { unfinished } from '../history/repair.ts';
import { itemOfBlock, type ToolUse } from '../items/to-items.ts';
import type { NewMessage, StoredBlock, TurnRecord } from '../ports/index.ts';
import { type LiveItem, type StreamedBlock, TurnFeed } from './feed.ts';

/** Event ids of the log that the turn had while it ran must be none of this: its events stood in other places. */
const REBUILT_FROM = 1e13;

/** `messages`: those of the turn, oldest first. The feed is closed and ends with the turn's `done`. */
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
 * Tells what a turn wrote, as it was told when it was written.
 * @param open calls without a result go on; else they get the synthetic one
 * @returns the calls that go on, by their ids
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
        if (block.internal?.drawn) feed.image(block, at);
        else if (block.internal?.note) feed.entry(block, at);
        else tellText(block, at);
        break;
      case 'thinking':
        tellText(block, at);
        break;
      // Results are told with their calls; the others are what callers say, which no turn tells.
      case 'tool_result':
      case 'image':
      case 'context':
      case 'quote':
        break;
      default:
        block satisfies never;
    }
  }

  function tellCall(call: ToolUse, at: string): void {
    const item = feed.call(call, at);
    const result = results.get(call.id);
    if (result !== undefined) feed.result(item, result);
    else if (open) going.set(call.id, item);
    // A rewind may have taken the result and left the call.
    else feed.result(item, unfinished(call.id));
  }

  function tellText(block: StreamedBlock, at: string): void {
    if (itemOfBlock(block, { id: '', turn_id: null, created_at: at }) === null) return;
    // It begins empty, as it did, and then gets its text in one piece.
    const growing = { ...block, text: '' };
    const item = feed.begin(growing, at);
    growing.text = block.text;
    feed.text(item, block.text);
    feed.end(item);
  }
}
