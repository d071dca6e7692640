/** Tests files that released versions of the module wrote. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { MailStore } from '../src/store.ts';

/** The tables before they had versions. */
const RELEASED = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS setup (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS mailbox (
    folder TEXT PRIMARY KEY, uidvalidity TEXT NOT NULL, last_uid INTEGER NOT NULL, since INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS mail (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, raw BLOB NOT NULL, seen_at INTEGER NOT NULL,
    sender TEXT, subject TEXT, who TEXT, person_id TEXT, why TEXT, chat_id TEXT, files TEXT, attempt INTEGER NOT NULL DEFAULT 1,
    posted_at INTEGER, told_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS mail_state ON mail (state, id);
  CREATE TABLE IF NOT EXISTS signature (hash TEXT PRIMARY KEY, mail_id INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS thread (message_id TEXT NOT NULL, who TEXT NOT NULL, chat_id TEXT NOT NULL,
    PRIMARY KEY (message_id, who)) STRICT;
  CREATE INDEX IF NOT EXISTS thread_chat ON thread (chat_id);
  CREATE TABLE IF NOT EXISTS outgoing (
    message_id TEXT PRIMARY KEY, state TEXT NOT NULL, recipient TEXT NOT NULL, raw BLOB NOT NULL, chat_id TEXT,
    made_at INTEGER NOT NULL, tried_at INTEGER NOT NULL DEFAULT 0, problem TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS asked (
    id TEXT PRIMARY KEY, message_id TEXT NOT NULL, chat_id TEXT, expires_at INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS word (hash TEXT PRIMARY KEY, asked_id TEXT NOT NULL, answer TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS copy (folder TEXT NOT NULL, uid INTEGER NOT NULL, PRIMARY KEY (folder, uid)) STRICT;
  CREATE TABLE IF NOT EXISTS draft (message_id TEXT PRIMARY KEY) STRICT;
`;

test('keeps the data of a file that predates table versions', () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const file = join(path, 'mail.sqlite');
  const released = new DatabaseSync(file);
  released.exec(RELEASED);
  released.exec("INSERT INTO setup VALUES ('secret', 'known')");
  released.exec("INSERT INTO mail (key, state, raw, seen_at) VALUES ('k', 'new', x'41', 5)");
  released.exec("INSERT INTO thread VALUES ('<1@x>', 'master', 'c1')");
  released.exec(
    "INSERT INTO mail (key, state, raw, seen_at, sender, chat_id) VALUES ('m', 'done', x'', 5, 'me@x', 'c1')",
  );
  released.close();

  const store = new MailStore(file);
  expect(store.secret).toBe('known');
  expect(store.mail(1)).toMatchObject({ key: 'k', state: 'new', seen_at: 5 });
  expect(store.chatOf(['<1@x>'], 'master')).toBe('c1');
  // Emails of the time before Message-IDs were kept cannot be sent again.
  expect(store.claim('<1@x>', 'me@x', 3)).toBe(false);
  expect(store.claim('<2@x>', 'me@x', 3)).toBe(true);
  store.close();
  const now = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => now.close());
  expect(now.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
});

test('keeps a Message-ID of a sender for four days, for one email', () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = new MailStore(join(path, 'mail.sqlite'));
  onTestFinished(() => store.close());
  expect(store.claim('<1@x>', 'me@x', 1)).toBe(true);
  expect(store.claim('<1@x>', 'me@x', 1)).toBe(true);
  expect(store.claim('<1@x>', 'me@x', 2)).toBe(false);
  expect(store.claim('<1@x>', 'eve@y', 3)).toBe(true);
  vi.setSystemTime(Date.now() + 4 * 86_400_000 - 1000);
  expect(store.claim('<1@x>', 'me@x', 2)).toBe(false);
  vi.setSystemTime(Date.now() + 2000);
  expect(store.claim('<2@x>', 'me@x', 4)).toBe(true);
  expect(store.all('SELECT message_id FROM seen')).toEqual([{ message_id: '<2@x>' }]);
});
