/**
 * Creates histories of any length, the same for all programs: as messages of a request, and as rows of a stopped
 * kernel.
 */
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { distinctWords } from '../packages/storage/src/search/tokenizer.ts';
import type { MessageRow } from '../packages/storage/src/tables/schema.ts';

const QUESTION = 'This is what was asked a while ago, in about as many words as people use.';
const ANSWER = ' token'.repeat(20);

/** The body of a chat completion after this many turns. */
export function chatBody(model: string, turns: number): Buffer {
  const messages = Array.from({ length: turns }, () => [
    { role: 'user', content: QUESTION },
    { role: 'assistant', content: ANSWER },
  ]).flat();
  const system = { role: 'system', content: 'You are helpful.' };
  const question = { role: 'user', content: 'How does this go on?' };
  return Buffer.from(
    JSON.stringify({
      model,
      messages: [system, ...messages, question],
      stream: true,
      stream_options: { include_usage: true },
    }),
  );
}

/** Writes turns directly into the database of a stopped kernel; the chats exist and are empty. */
export function fillChats(dataDir: string, chats: readonly { id: string; turns: number }[]): void {
  write(dataDir, database => {
    const insert = messageInsert(database);
    const place = database.prepare('update chats set last_position = ?, last_message_at = ? where id = ?');
    for (const chat of chats) {
      for (let position = 1; position <= chat.turns * 2; position++) {
        insert.run({ ...messageRow(chat.id, position), text_id: null });
      }
      place.run(chat.turns * 2, CREATED_AT, chat.id);
    }
  });
}

/** Writes searchable messages into an empty chat, as `fillChats` does. @param texts one for each message */
export function fillSearchable(dataDir: string, chat: string, texts: Iterable<string>): void {
  write(dataDir, database => {
    const insert = messageInsert(database);
    const index = database.prepare('insert into texts (words) values (?)');
    let position = 0;
    for (const text of texts) {
      const row = messageRow(chat, ++position);
      const { lastInsertRowid } = index.run(distinctWords(text).join(' '));
      insert.run({ ...row, content: JSON.stringify([{ type: 'text', text }]), text_id: lastInsertRowid });
    }
    database.prepare('update chats set last_position = ? where id = ?').run(position, chat);
  });
}

/** Skips syncing, because a power cut does not matter here. */
function write(dataDir: string, fill: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(join(dataDir, 'chat-kernel.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = off; begin');
  fill(database);
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
}

const messageInsert = (database: DatabaseSync): StatementSync =>
  database.prepare(
    `insert into messages (id, chat_id, position, role, turn_id, sender, created_at, status, content, text_id)
     values (:id, :chat_id, :position, :role, :turn_id, :sender, :created_at, :status, :content, :text_id)`,
  );

const CREATED_AT = '2026-01-01T00:00:00.000Z';
const CONTENT = {
  user: JSON.stringify([{ type: 'text', text: QUESTION }]),
  assistant: JSON.stringify([{ type: 'text', text: ANSWER }]),
};
let ids = 0;
let turnId = '';

function messageRow(chat_id: string, position: number): MessageRow {
  const role = position % 2 === 1 ? 'user' : 'assistant';
  if (role === 'user') turnId = nextId();
  return {
    id: nextId(),
    chat_id,
    position,
    role,
    turn_id: turnId,
    sender: null,
    created_at: CREATED_AT,
    status: 'completed',
    content: CONTENT[role],
  };
}

/** Old UUIDv7s that count up, so that they sort as real ones do. */
function nextId(): string {
  const digits = (ids++).toString(16).padStart(12, '0');
  return `01900000-0000-7000-8000-${digits}`;
}
