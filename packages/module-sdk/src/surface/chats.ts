/** Maps conversations of the surface, such as threads of emails, to chats of the kernel. */
import type { SQLInputValue } from 'node:sqlite';
import type { SurfaceStore } from './store.ts';

interface ChatTable {
  table: string;
  /** The columns that identify a conversation: its primary key. */
  key: readonly string[];
  /** The column with the id of the kernel's chat. */
  chat: string;
}

export class Chats {
  readonly #store: SurfaceStore;
  readonly #table: ChatTable;

  constructor(store: SurfaceStore, table: ChatTable) {
    this.#store = store;
    this.#table = table;
  }

  /** Finds the chat of a conversation. @param key in the order of the key's columns */
  find(...key: SQLInputValue[]): string | undefined {
    const { table, chat, key: columns } = this.#table;
    const is = columns.map(column => `${column} = ?`).join(' AND ');
    return this.#store.get<{ chat: string }>(`SELECT ${chat} AS chat FROM ${table} WHERE ${is}`, ...key)
      ?.chat;
  }

  /** Binds a conversation to a chat, and replaces its earlier chat. */
  bind(chatId: string, ...key: SQLInputValue[]): void {
    const { table, chat, key: columns } = this.#table;
    const values = columns.map(() => '?').join(', ');
    this.#store.run(
      `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}, ${chat}) VALUES (${values}, ?)`,
      ...[...key, chatId],
    );
  }

  /** Finds the conversation of a chat. */
  keyOf<Key>(chatId: string): Key | undefined {
    const { table, chat, key } = this.#table;
    return this.#store.get<Key>(`SELECT ${key.join(', ')} FROM ${table} WHERE ${chat} = ?`, chatId);
  }

  /** Removes a deleted chat: the next message of its conversations creates another one. */
  forget(chatId: string): void {
    const { table, chat } = this.#table;
    this.#store.run(`DELETE FROM ${table} WHERE ${chat} = ?`, chatId);
  }
}
