/** Writes histories into the store before a kernel opens it, because a model would need hours to create them. */
import { type ChatRecord, type Store, type StoredBlock, systemClock } from '@chat-kernel/kernel';
import { COMPACTION_MARKER } from '@chat-kernel/protocol';
import { openStore } from '@chat-kernel/storage';
import { newChat, newMessage } from '../../packages/storage/test/records.ts';
import { ownDatabase } from './database.ts';

/** Role and blocks of a message; a text is one block. */
export type Said = [role: 'user' | 'assistant', content: string | StoredBlock[]];

/** Opens the store while `write` runs. */
export async function seed<Result>(
  dataDir: string,
  write: (store: Store) => Promise<Result>,
): Promise<Result> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const store = await openStore({
    data_dir: dataDir,
    url: (await ownDatabase(dataDir)) ?? null,
    log,
    clock: systemClock,
  });
  try {
    return await write(store);
  } finally {
    await store.close();
  }
}

/** Creates a chat with these messages; returns it with their ids. */
export async function seedChat(
  store: Store,
  said: readonly Said[],
  changes: Partial<ChatRecord> = {},
): Promise<{ chat: string; ids: string[] }> {
  const chat = newChat(changes);
  await store.chats.create(chat);
  return { chat: chat.id, ids: await append(store, chat.id, said) };
}

/** Appends messages to a chat; returns their ids. */
export async function append(store: Store, chat_id: string, said: readonly Said[]): Promise<string[]> {
  const messages = said.map(([role, content]) =>
    newMessage(chat_id, {
      role,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    }),
  );
  // A statement accepts a limited number of rows.
  for (let start = 0; start < messages.length; start += 1000) {
    await store.chats.write({ chat_id, append: messages.slice(start, start + 1000) });
  }
  return messages.map(({ id }) => id);
}

/** The marker at which the messages up to this one were compacted. */
export const foldedAt = (text: string, upto_message: string): Said => [
  'user',
  [{ type: 'text', text: COMPACTION_MARKER, internal: { compaction: { text, upto_message } } }],
];
