/** Finds or edits the summary of a chat after its history is cut or the user changes the summary. */
import { invalidValue, type PatchChat, type Summary } from '@chat-kernel/protocol';
import type { ChatChanges, ChatRecord, Store } from '../ports/index.ts';

/**
 * The summary of everything before a position: that of the chat if it ends before the position, else that of the newest
 * earlier compaction (MSG-3, FORK-2). A chat whose user has removed its summary has none.
 */
export async function summaryBefore(
  store: Pick<Store, 'messages'>,
  { id, summary }: ChatRecord,
  position: number,
): Promise<Summary | null> {
  if (summary === null) return null;
  const last = await store.messages.get(id, summary.upto_message);
  if (last !== undefined && (last.position as number) < position) return summary;
  // The compacted messages come before the marker, so if the marker is kept, they are too.
  const marker = await store.messages.findCompaction(id, position);
  const folded = marker?.content.find(block => block.internal?.compaction)?.internal?.compaction;
  return marker && folded ? { ...folded, created_at: marker.created_at } : null;
}

/**
 * The changes of a chat when the user edits its summary; the size of the history must be counted again.
 * @throws KernelError invalid_value if there is no summary to edit
 */
export function editSummary(
  { summary }: ChatRecord,
  edited: NonNullable<PatchChat['summary']> | null,
): Pick<ChatChanges, 'summary' | 'context_tokens'> {
  if (edited === null) return { summary: null, context_tokens: 0 };
  if (summary === null)
    throw invalidValue('/summary', 'The chat has no summary to edit: its history has not been compacted.');
  return { summary: { ...summary, text: edited.text }, context_tokens: 0 };
}
