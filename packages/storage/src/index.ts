/** The store in SQLite or Postgres, with the bytes of images and files on disk. */
export { inspectStore, type StoreState } from './inspect.ts';
export { filesDirectory, openStore, type StoreOptions } from './open.ts';
