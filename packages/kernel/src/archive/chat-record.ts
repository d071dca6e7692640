/**
 * Creates the first line of an export: the chat itself, with everything that items lack, so that an import can recreate
 * it.
 */
import { publicChat } from '../events/public-chat.ts';
import type { ChatRecord, Store } from '../ports/index.ts';

interface FoldRecord {
  /** The id of the message that marks the compaction. */
  message_id: string;
  text: string;
  upto_message: string;
}

/** The line, which has a `kind` like the items after it. */
export async function chatRecord(
  chat: ChatRecord,
  store: Pick<Store, 'messages' | 'spend'>,
): Promise<object> {
  const { turn: _, ...shown } = publicChat(chat, null);
  const usage = await store.spend.list(chat.id);
  return { kind: 'chat', ...shown, usage, folds: await listFolds(chat.id, store) };
}

/** All compactions, oldest first. */
async function listFolds(chatId: string, store: Pick<Store, 'messages'>): Promise<FoldRecord[]> {
  const folds: FoldRecord[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const marker = await store.messages.findCompaction(chatId, before);
    if (marker === undefined) return folds.reverse();
    const fold = marker.content.find(block => block.internal?.compaction)?.internal?.compaction;
    if (fold) folds.push({ message_id: marker.id, ...fold });
    before = marker.position as number;
  }
}
