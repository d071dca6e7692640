/** The store: everything that outlives the process, in SQLite or Postgres, with the bytes of images on disk. */
export { openStore, type StoreOptions } from './open.ts';
