/** What keeps a store from being opened, saved or restored, and lies outside of the program. */

/** Its message is sentences for a person: what was found, and what to do. No stack says more. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** The way out that most of these errors name. */
export const RESTORE =
  'put the old one back, or restore a backup into an empty directory (chat-kernel restore FILE --data DIR)';
