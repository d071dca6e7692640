/** The first line of an export: the chat itself, with what no item says of it, so that an import can make it again. */
import { publicChat } from '../events/public-chat.ts';
import type { ChatRecord, Store } from '../ports/index.ts';

interface FoldRecord {
  /** The id of the message that marks the fold. */
  message_id: string;
  text: string;
  upto_message: string;
}

/** The line, which has a `kind` as the items behind it do. */
export async function chatRecord(
  chat: ChatRecord,
  store: Pick<Store, 'messages' | 'spend'>,
): Promise<object> {
  const { turn: _, ...shown } = publicChat(chat, null);
  const usage = await store.spend.list(chat.id);
  return { kind: 'chat', ...shown, usage, folds: await foldsOf(chat.id, store) };
}

/** All folds, the oldest first. */
async function foldsOf(chatId: string, store: Pick<Store, 'messages'>): Promise<FoldRecord[]> {
  const folds: FoldRecord[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const marker = await store.messages.findCompaction(chatId, before);
    if (marker === undefined) return folds.reverse();
    const fold = marker.content.find(block => block.internal?.compaction)?.internal?.compaction;
    if (fold) folds.push({ message_id: marker.id, ...fold });
    before = marker.position as number;
  }
}
