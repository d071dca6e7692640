/** Errors that prevent opening, saving or restoring a store, with a cause outside of the program. */

/** The message is for users: what is wrong, and what to do. A stack trace would not help. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** The solution that most of these errors suggest. */
export const RESTORE =
  'put the old one back, or restore a backup into an empty directory (chat-kernel restore FILE --data DIR)';
