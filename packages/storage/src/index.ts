/** The store: everything that outlives the process, in SQLite or Postgres, with the bytes of images and files on disk. */
export { filesDirectory, openStore, type StoreOptions } from './open.ts';
