/** The summary of a chat where its history is cut, and where its owner writes it anew. */
import { KernelError, type PatchChat, type Summary } from '@chat-kernel/protocol';
import type { ChatChanges, ChatRecord, Store } from '../ports/index.ts';

/**
 * The summary that holds for what stands before a position: the chat's, where the last message it tells of is part of
 * that, else that of the newest fold that is (MSG-3, FORK-2). A chat whose owner took the summary away has none.
 */
export async function summaryBefore(
  store: Pick<Store, 'messages'>,
  { id, summary }: ChatRecord,
  position: number,
): Promise<Summary | null> {
  if (summary === null) return null;
  const last = await store.messages.get(id, summary.upto_message);
  if (last !== undefined && (last.position as number) < position) return summary;
  // What a fold tells of stands before its marker, so it is there where the marker is.
  const marker = await store.messages.findCompaction(id, position);
  const folded = marker?.content.find(block => block.internal?.compaction)?.internal?.compaction;
  return marker && folded ? { ...folded, created_at: marker.created_at } : null;
}

/** What an owner's summary changes. Nobody has counted what the history weighs then. @throws KernelError invalid_value: there is none to edit */
export function editSummary(
  { summary }: ChatRecord,
  edited: NonNullable<PatchChat['summary']> | null,
): Pick<ChatChanges, 'summary' | 'context_tokens'> {
  if (edited === null) return { summary: null, context_tokens: 0 };
  if (summary === null) {
    const detail = 'The chat has no summary that could be edited: nothing of its history was folded.';
    throw new KernelError('invalid_value', detail, { errors: [{ pointer: '/summary', detail }] });
  }
  return { summary: { ...summary, text: edited.text }, context_tokens: 0 };
}
