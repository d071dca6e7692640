/**
 * Warms up the writer thread by running its procedures on equal tables in memory. Otherwise the first turn after a
 * start waits while Node compiles the code of its writes.
 */
import { DatabaseSync } from 'node:sqlite';
import type { ChatRecord, NewMessage, TurnRecord, TurnWrite } from '@chat-kernel/kernel';
import { Kysely } from 'kysely';
import { insertChat } from './chats/chat-rows.ts';
import { CREATE_TURN, WRITE_TURN } from './chats/turn-writes.ts';
import { sqliteDialect } from './database/sqlite-dialect.ts';
import { SqliteExecutor } from './database/sqlite-executor.ts';
import { sqliteSearch } from './database/sqlite-search.ts';
import { SqliteStatements } from './database/sqlite-statements.ts';
import { SqliteWriter } from './database/sqlite-writer.ts';
import type { Schema } from './tables/schema.ts';

/** Selects tables, indexes and triggers, without the internal tables of virtual ones. */
const MADE = `
  select made.sql from sqlite_schema as made
  left join pragma_table_list as listed on listed.name = made.tbl_name and listed.schema = 'main'
  where made.sql is not null and listed.type <> 'shadow' and made.name not like 'sqlite%'
  order by made.rowid`;

const NOW = '2026-01-01T00:00:00.000Z';
const LATER = { last_message_at: NOW, updated_at: NOW, context_tokens: 1, prefix_tokens: 1 };
const USED = { prompt_tokens: 1, completion_tokens: 1, reasoning_tokens: 0, cached_tokens: 0, cost_usd: 0.1 };

/** Without newer settings, which get the defaults of their columns: the thread does not load the schemas. */
const CHAT: Partial<ChatRecord> & Pick<ChatRecord, 'id'> = {
  id: 'chat',
  title: null,
  created_at: NOW,
  updated_at: NOW,
  last_message_at: null,
  workdir: null,
  workdir_on: 'server',
  hands: null,
  home: null,
  consent: 'auto',
  forked_from: null,
  forked_at_message: null,
  effort: null,
  model: null,
  shelf: 'main',
  project: null,
  toolset: { loaded: [], disabled: [] },
  compaction: 'auto',
  summary: null,
  plan: [],
  notebook: '',
  notebook_at: null,
  context_tokens: 0,
  prefix_tokens: 0,
};

const message = (role: 'user' | 'assistant'): NewMessage => ({
  id: role,
  chat_id: CHAT.id,
  role,
  turn_id: 'turn',
  content: [{ type: 'text', text: 'Some words, to be found again.' }],
  created_at: NOW,
  status: 'completed',
});

const TURN: TurnRecord = {
  id: 'turn',
  chat_id: CHAT.id,
  message_id: 'user',
  status: 'running',
  model: null,
  effort: { value: 'low', source: 'global', raised: false },
  created_at: NOW,
  started_at: NOW,
  ended_at: null,
  usage: USED,
  stop_reason: null,
  error: null,
  parameters: {},
  outside: [],
  sleep: null,
  checkpoint: null,
};

const END: TurnWrite = {
  turn_id: TURN.id,
  chat_id: CHAT.id,
  turn: { status: 'completed', ended_at: NOW, stop_reason: 'stop', usage: USED, checkpoint: null },
  append: [message('assistant')],
  spend: { ...USED, model: 'some/model', turns: 1 },
  days: [{ ...USED, model: 'some/model', day: '2026-01-01' }],
  chat: LATER,
};

/** @param connection connection to the database, which is only read */
export async function warmUp(connection: DatabaseSync): Promise<void> {
  const memory = new DatabaseSync(':memory:');
  for (const { sql } of connection.prepare(MADE).all()) memory.exec(sql as string);
  const writer = new SqliteWriter(new SqliteExecutor(memory));
  const db = new Kysely<Schema>({ dialect: sqliteDialect(new SqliteStatements(memory), () => writer) });
  try {
    await db.transaction().execute(transaction => insertChat(transaction, CHAT as ChatRecord));
    await db
      .transaction()
      .execute(transaction =>
        CREATE_TURN.work(transaction, sqliteSearch, TURN, message('user'), { place: true, chat: LATER }, NOW),
      );
    await db.transaction().execute(transaction => WRITE_TURN.work(transaction, sqliteSearch, END));
  } finally {
    await writer.close();
  }
}
