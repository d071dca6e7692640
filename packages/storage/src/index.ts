/** The store in SQLite or Postgres, with the bytes of images and files on disk, in Postgres or in S3. */

export { type ArchiveSummary, backupStore, checkArchive, type Progress } from './backup/backup.ts';
export { type MoveSummary, moveBytes } from './backup/move.ts';
export { PLACES_SINCE, restoreStore } from './backup/restore.ts';
export type { BytesSetting, StoreHome } from './bytes/backends.ts';
export type { BulkChatWriter, NewImage } from './chats/bulk-chat-writer.ts';
export { advanceSchedule } from './chats/claim-run.ts';
export type { SearchIndex } from './database/database.ts';
export { isLocked } from './database/directory-lock.ts';
export { checkHeld } from './database/fence.ts';
export type { Transactions, Write } from './database/transactions.ts';
export { inspectStore, type StoreState } from './inspect.ts';
export { openJournal } from './journal/journal-file.ts';
export { filesDirectory, openStore, type StoreOptions } from './open.ts';
export { openPushKey, type PushKeyPair, pushKeyIn } from './push/push-key.ts';
export { rarest, type WantedWords, wantedBy } from './search/query.ts';
export { snippet } from './search/snippet.ts';
export { distinctWords, tokenize } from './search/tokenizer.ts';
export type { SqlStore } from './store.ts';
export type { StoreHooks } from './store-hooks.ts';
export type { Db, Schema } from './tables/schema.ts';
export { plain, searchable } from './tables/text.ts';
export { decodeReadable } from './tables/unreadable.ts';
