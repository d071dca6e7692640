/**
 * Forks a chat: creates a new one with everything before one message, and with the same settings (FORK-1 to FORK-5).
 */
import { type ForkChat, KernelError, NOTE_FACTS } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import { unfinished } from '../history/repair.ts';
import type { ToolUse } from '../items/to-items.ts';
import { type ChatRecord, type Clock, type NewMessage, type Store, timestamp } from '../ports/index.ts';
import { noChat } from './chats.ts';
import { summaryBefore } from './summary.ts';

/** The number of messages per read when searching backwards for the last call. */
const STEP_BACK = 50;

/**
 * Creates the branch. The parent does not change, and a turn may be running in it.
 * @throws KernelError not_found if there is no such message, or the parent was deleted during the fork
 */
export async function fork(
  parent: ChatRecord,
  { before_message, title }: ForkChat,
  store: Store,
  clock: Clock,
): Promise<ChatRecord> {
  const cut = await store.messages.get(parent.id, before_message);
  if (cut === undefined)
    throw new KernelError('not_found', `There is no message ${before_message} in this chat.`);
  // A waiting message comes after all messages with a position; other waiting ones are not copied (WAIT-4).
  const before = cut.position ?? (await nextPosition(store, parent.id));
  const now = timestamp(clock);
  const branch: ChatRecord = {
    ...parent,
    id: newId(),
    title: title ?? parent.title,
    created_at: now,
    updated_at: now,
    last_message_at: now,
    forked_from: parent.id,
    forked_at_message: before_message,
    summary: await summaryBefore(store, parent, before),
    // The branch has had no turn yet, so nothing has been counted.
    context_tokens: 0,
    prefix_tokens: 0,
  };
  const marker = forkMarker(branch, parent.id, before_message);
  const from = await firstOwn(store, parent);
  const closing = (await openCalls(store, parent.id, before)).map(
    ({ calls, turn_id }): NewMessage => ({
      id: newId(),
      chat_id: branch.id,
      role: 'user',
      turn_id,
      content: calls.map(call => unfinished(call.id)),
      created_at: now,
      status: 'aborted',
    }),
  );
  const made = await store.chats.fork({
    branch,
    parent_id: parent.id,
    from,
    before,
    marker,
    closing,
    newId,
  });
  if (!made) throw noChat(parent.id);
  // The store gives the copies new ids, including the message that the summary names, so the branch is read back.
  return (await store.chats.get(branch.id)) ?? branch;
}

/** The first message of a branch, which states its origin. */
export const forkMarker = (branch: ChatRecord, parentId: string, before: string): NewMessage => ({
  id: newId(),
  chat_id: branch.id,
  role: 'user',
  turn_id: null,
  content: [
    {
      type: 'text',
      text: `${NOTE_FACTS.fork_marker.text} Before message ${before}, it was chat ${parentId}.`,
      internal: { note: 'fork_marker' },
    },
  ],
  created_at: branch.created_at,
  status: 'completed',
});

async function nextPosition(store: Store, chatId: string): Promise<number> {
  const [last] = await store.messages.list(chatId, { limit: 1 });
  return (last?.position ?? 0) + 1;
}

/**
 * The position of the first message to copy. The marker of the parent's own fork is not copied, because a branch has
 * exactly one marker.
 */
async function firstOwn(store: Store, chat: ChatRecord): Promise<number> {
  if (chat.forked_from === null) return 1;
  const [first] = await store.messages.listFrom(chat.id, 1, 1);
  return first?.content.some(block => block.internal?.note === 'fork_marker') ? 2 : 1;
}

/**
 * The calls of the last step before a position that have no result before it (FORK-3), and such calls of the kernel.
 */
async function openCalls(
  store: Store,
  chatId: string,
  before: number,
): Promise<{ calls: ToolUse[]; turn_id: string | null }[]> {
  const answered = new Set<string>();
  const open: { calls: ToolUse[]; turn_id: string | null }[] = [];
  for (let end: number | null = before; end !== null; ) {
    const messages = await store.messages.list(chatId, { limit: STEP_BACK, before: end });
    end = messages[0]?.position ?? null;
    for (const { role, content, turn_id } of messages.toReversed()) {
      for (const block of content) if (block.type === 'tool_result') answered.add(block.tool_use_id);
      const calls = content.filter(block => block.type === 'tool_use').filter(({ id }) => !answered.has(id));
      if (calls.length > 0) open.push({ calls, turn_id });
      // A question of the kernel may come after the calls of a step, so the search continues before it.
      if (role === 'assistant' && !content.every(({ internal }) => internal?.kernel)) return open;
    }
  }
  return open;
}
