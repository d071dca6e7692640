/** Removes scratch directories of chats that no longer exist: another kernel on the database may have deleted them. */
import type { MachinePaths } from '@chat-kernel/hands/own-machine';
import type { Log, Store } from '@chat-kernel/kernel';

/** Never rejects. Keeps a directory if the database does not say that its chat is deleted. */
export async function sweepScratch(
  paths: MachinePaths,
  { chats }: Pick<Store, 'chats'>,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  try {
    for (const id of await paths.scratchChats()) {
      if (signal.aborted) return;
      if ((await chats.get(id)) === undefined) await paths.removeScratch(id);
    }
  } catch (error) {
    log.warn({ err: error }, 'removing scratch directories of deleted chats failed');
  }
}
