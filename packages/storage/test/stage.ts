/** Opens a fresh store for each test, on a fresh database, with a manual clock and a recorded log. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatRecord, Clock, Log, NewMessage } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { afterEach, beforeEach } from 'vitest';
import { databaseOf, dropDatabase, ON_POSTGRES } from '../../../test/harness/database.ts';
import { inMemory } from '../../../test/harness/in-memory.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/engines.ts';
import { openStore, type SqlStore, type StoreHooks } from '../src/index.ts';
import { NOW, newChat, newMessage, newTurn, nextId } from './records.ts';
import { createTables } from './sqlite-template.ts';

class StillClock implements Clock {
  time = Date.parse(NOW);
  #waiting = new Map<() => void, number>();

  now = (): number => this.time;

  after(ms: number, callback: () => void): () => void {
    this.#waiting.set(callback, this.time + ms);
    return () => this.#waiting.delete(callback);
  }

  /** Advances time, and runs the callbacks that are due. */
  pass(ms: number): void {
    this.time += ms;
    for (const [callback, due] of this.#waiting) {
      if (due > this.time) continue;
      this.#waiting.delete(callback);
      callback();
    }
  }
}

export class Stage {
  store!: SqlStore;
  data_dir!: string;
  url!: string | null;
  clock!: StillClock;
  /** The messages of each level. */
  logged!: { info: string[]; warn: string[]; error: string[] };

  readonly log: Log = {
    debug() {},
    info: (_, sentence) => void this.logged.info.push(sentence),
    warn: (_, sentence) => void this.logged.warn.push(sentence),
    error: (_, sentence) => void this.logged.error.push(sentence),
  };

  readonly #hooks: readonly StoreHooks[];

  /**
   * For the tests of the describe block that calls it.
   * @param options.onPostgres whether the database is one of Postgres, whatever the database of the run is
   */
  constructor({
    hooks = [],
    onPostgres = ON_POSTGRES,
  }: { hooks?: readonly StoreHooks[]; onPostgres?: boolean } = {}) {
    this.#hooks = hooks;
    let directory: string;
    beforeEach(async () => {
      this.clock = new StillClock();
      this.logged = { info: [], warn: [], error: [] };
      directory = await mkdtemp(join(inMemory(), 'chat-kernel-storage-'));
      this.data_dir = directory;
      this.url = onPostgres ? await databaseOf(directory) : null;
      if (this.url === null) await createTables(directory);
      this.store = await this.open();
    });
    afterEach(async () => {
      await this.store.close();
      await rm(directory, { recursive: true });
      if (onPostgres) await dropDatabase(directory);
    });
  }

  open(): Promise<SqlStore> {
    const { data_dir, url, log, clock } = this;
    return openStore({ data_dir, url, log, clock, hooks: this.#hooks });
  }

  async reopen(): Promise<void> {
    await this.store.close();
    this.store = await this.open();
  }

  /** Opens only the database; the store must be closed. */
  async withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
    const { url, data_dir, log } = this;
    const database = await openDatabase({ data_dir, url }, log);
    try {
      await work(database);
    } finally {
      await database.close();
    }
  }

  /** Leaves a closed store with a database that was never migrated. */
  async empty(): Promise<void> {
    await this.store.close();
    this.data_dir = join(this.data_dir, 'old');
    await mkdir(this.data_dir);
    if (this.url === null) return;
    await this.withDatabase(async ({ db }) => {
      await sql`drop schema public cascade`.execute(db);
      await sql`create schema public`.execute(db);
    });
  }

  async chat(changes: Partial<ChatRecord> = {}): Promise<ChatRecord> {
    const chat = newChat(changes);
    await this.store.chats.create(chat);
    return chat;
  }

  /** Creates a running turn with its user message, placed; or a queued turn whose message waits. */
  async turn(chat_id: string, changes: Partial<NewMessage> = {}, { place } = { place: true }) {
    const message = newMessage(chat_id, { turn_id: nextId(), ...changes });
    const turn = newTurn(message, { status: place ? 'running' : 'queued' });
    await this.store.turns.create(turn, message, { place });
    return { turn, message };
  }

  /** Creates a chat with this many placed messages, oldest first. */
  async history(count: number, text = 'Hello.') {
    const chat = await this.chat();
    if (count === 0) return { chat, ids: [] };
    const content: NewMessage['content'] = [{ type: 'text', text }];
    const { turn, message } = await this.turn(chat.id, { content });
    const append = Array.from({ length: count - 1 }, () =>
      newMessage(chat.id, { turn_id: turn.id, content }),
    );
    await this.store.turns.write({ turn_id: turn.id, chat_id: chat.id, turn: {}, append });
    return { chat, ids: [message.id, ...append.map(({ id }) => id)] };
  }
}
