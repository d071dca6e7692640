/** Finds the messages that still contain a deleted entry, so that their owner can delete them, too. */
import type { Store, StoredBlock } from '@chat-kernel/kernel';
import type { MemoryForgotten } from '@chat-kernel/protocol';
import type { MemoryRecord } from './records.ts';

type Mention = MemoryForgotten['found_in'][number];

/** Limits the mentions of an answer, and the entries to search for. */
const MAX_MENTIONS = 20;

/**
 * Finds the messages that contain every word in an entry, and the calls by which a model wrote it. A paraphrase is not
 * found.
 */
export async function findMentions(
  gone: readonly MemoryRecord[],
  store: Pick<Store, 'messages' | 'search'>,
): Promise<Mention[]> {
  const mentions = new Map<string, Mention>();
  for (const entry of gone.slice(0, MAX_MENTIONS)) {
    for (const mention of [
      ...(await findCalls(entry, store)),
      ...(await store.search.messages(entry.text, MAX_MENTIONS)),
    ]) {
      const { chat_id, message_id } = mention;
      if (mentions.size < MAX_MENTIONS) mentions.set(message_id, { chat_id, message_id });
    }
  }
  return [...mentions.values()];
}

async function findCalls(
  { chat_id, turn_id, text }: MemoryRecord,
  { messages }: Pick<Store, 'messages'>,
): Promise<Mention[]> {
  if (chat_id === null || turn_id === null) return [];
  const written = await messages.listOfTurn(chat_id, turn_id);
  const says = (block: StoredBlock) =>
    block.type === 'tool_use' &&
    Object.values(block.input).some(value => JSON.stringify(value).includes(JSON.stringify(text)));
  return written.filter(({ content }) => content.some(says)).map(({ id }) => ({ chat_id, message_id: id }));
}
