/** Hooks for features in the transactions and the regular maintenance of the store. */
import type { Db } from './tables/schema.ts';

export interface StoreHooks {
  /** Runs in the transaction that deletes a chat, while the chat still has its turns. */
  chatDeleting?(db: Db, chatId: string): Promise<void>;
  /** Runs in its own transaction when the store opens, and then once a minute. */
  upkeep?(db: Db): Promise<void>;
}
