/** The memory of the surface: the chat of each nick, and the text of each numbered line. */
import { DatabaseSync } from 'node:sqlite';

export interface Line {
  id: number;
  text: string;
}

export class LineStore {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS nick (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, chat_id TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS line (id INTEGER PRIMARY KEY, nick_id INTEGER NOT NULL, text TEXT NOT NULL);
    `);
  }

  /** Returns the number of a nick, and its chat. */
  chatOf(name: string): { id: number; chat_id: string } | undefined {
    const row = this.#database.prepare('SELECT id, chat_id FROM nick WHERE name = ?').get(name);
    return row as { id: number; chat_id: string } | undefined;
  }

  bind(name: string, chatId: string): { id: number; chat_id: string } {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO nick (name, chat_id) VALUES (?, ?)')
      .run(name, chatId);
    return { id: Number(lastInsertRowid), chat_id: chatId };
  }

  /** Stores a line of either side, and numbers it. */
  keep(nickId: number, text: string): Line {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO line (nick_id, text) VALUES (?, ?)')
      .run(nickId, text);
    return { id: Number(lastInsertRowid), text };
  }

  /** Returns a line, where it belongs to this nick. */
  line(nickId: number, id: number): Line | undefined {
    const row = this.#database
      .prepare('SELECT id, text FROM line WHERE nick_id = ? AND id = ?')
      .get(nickId, id);
    return row as Line | undefined;
  }

  close(): void {
    this.#database.close();
  }
}
