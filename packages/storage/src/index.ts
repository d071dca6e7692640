/** The store in SQLite or Postgres, with the bytes of images and files on disk, in Postgres or in S3. */
export { type ArchiveSummary, backupStore, type Progress } from './backup/backup.ts';
export { checkArchive } from './backup/check.ts';
export { type MoveSummary, moveBytes } from './backup/move.ts';
export { PLACES_SINCE, restoreStore } from './backup/restore.ts';
export type { BytesSetting, StoreHome } from './bytes/places.ts';
export { isLocked } from './database/directory-lock.ts';
export { inspectStore, type StoreState } from './inspect.ts';
export { openJournal } from './journal/journal-file.ts';
export { filesDirectory, openMemoryStore, openStore, type StoreOptions } from './open.ts';
export { openPushKey, type PushKeyPair, pushKeyIn } from './push/push-key.ts';
