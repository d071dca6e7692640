/** Where old messages still say what was just forgotten, so that their owner may delete them, too. */
import type { MemoryForgotten } from '@chat-kernel/protocol';
import type { MemoryRecord, Store, StoredBlock } from '../ports/index.ts';

type Place = MemoryForgotten['found_in'][number];

/** The most places of an answer, and the most entries that are looked for. */
const MOST = 20;

/**
 * The messages that have all words of such an entry, and the calls by which a model wrote it. Words that say the same in
 * another way are not found.
 */
export async function placesOf(
  gone: readonly MemoryRecord[],
  store: Pick<Store, 'messages' | 'search'>,
): Promise<Place[]> {
  const places = new Map<string, Place>();
  for (const entry of gone.slice(0, MOST)) {
    for (const place of [
      ...(await callsOf(entry, store)),
      ...(await store.search.messages(entry.text, MOST)),
    ]) {
      const { chat_id, message_id } = place;
      if (places.size < MOST) places.set(message_id, { chat_id, message_id });
    }
  }
  return [...places.values()];
}

async function callsOf(
  { chat_id, turn_id, text }: MemoryRecord,
  { messages }: Pick<Store, 'messages'>,
): Promise<Place[]> {
  if (chat_id === null || turn_id === null) return [];
  const written = await messages.listOfTurn(chat_id, turn_id);
  const says = (block: StoredBlock) =>
    block.type === 'tool_use' &&
    Object.values(block.input).some(value => JSON.stringify(value).includes(JSON.stringify(text)));
  return written.filter(({ content }) => content.some(says)).map(({ id }) => ({ chat_id, message_id: id }));
}
