/** Tests files that released versions of the module wrote. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { Store } from '../src/store.ts';

/** The tables before they had versions. */
const RELEASED = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS seen (update_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS conversation (
    chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, kernel_chat TEXT NOT NULL,
    PRIMARY KEY (chat_id, thread_id)
  );
  CREATE TABLE IF NOT EXISTS turn (
    update_id INTEGER PRIMARY KEY, chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, message_id INTEGER NOT NULL,
    kernel_chat TEXT NOT NULL, request TEXT NOT NULL, turn_id TEXT, live_message INTEGER, taken_at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS outgoing (
    id INTEGER PRIMARY KEY AUTOINCREMENT, chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, body TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting', message_id INTEGER, at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS outgoing_open ON outgoing (id) WHERE state IN ('waiting', 'sending');
  CREATE TABLE IF NOT EXISTS button (token TEXT PRIMARY KEY, press TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS asked (
    id INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL, question INTEGER NOT NULL, kernel_chat TEXT NOT NULL,
    text TEXT NOT NULL, outgoing INTEGER NOT NULL, open INTEGER NOT NULL DEFAULT 1, UNIQUE (kernel_chat, request_id, question)
  );
  CREATE TABLE IF NOT EXISTS part (update_id INTEGER PRIMARY KEY, turn INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS said (
    chat_id INTEGER NOT NULL, message_id INTEGER NOT NULL, update_id INTEGER NOT NULL, words TEXT NOT NULL,
    file TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (chat_id, message_id)
  );
  CREATE TABLE IF NOT EXISTS mark (
    chat_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (chat_id, thread_id, mark)
  );
  CREATE TABLE IF NOT EXISTS refused (user_id INTEGER PRIMARY KEY);
`;

test('keeps the data of a file that predates table versions', () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const file = join(path, 'telegram.sqlite');
  const released = new DatabaseSync(file);
  released.exec(RELEASED);
  released.exec("INSERT INTO conversation VALUES (7, 0, 'c1')");
  released.exec(`INSERT INTO turn VALUES (5, 7, 0, 1, 'c1', '{"text":"Hi."}', NULL, NULL, 9)`);
  released.exec(
    `INSERT INTO outgoing (chat_id, thread_id, body, at) VALUES (7, 0, '{"kind":"exact","text":"x"}', 9)`,
  );
  const tables = (from: DatabaseSync) => from.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all();
  const before = tables(released);
  released.close();

  const store = new Store(file);
  expect(store.findChat({ chat_id: 7, thread_id: 0 })).toBe('c1');
  expect(store.findConversation('c1')).toEqual({ chat_id: 7, thread_id: 0 });
  expect(store.unposted()).toMatchObject([{ update_id: 5, request: { text: 'Hi.' }, taken_at: 9 }]);
  expect(store.unsent()).toMatchObject([{ body: { kind: 'exact', text: 'x' }, state: 'waiting' }]);
  store.close();
  const now = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => now.close());
  expect(tables(now)).toEqual(before);
  expect(now.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
});
