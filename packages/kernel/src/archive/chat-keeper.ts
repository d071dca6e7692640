/** What an import needs of the kernel that has the chats, and what there is instead where none runs. */
import type { ChatRecord } from '../ports/index.ts';

export interface ChatKeeper {
  /** Called with each chat that came. */
  created(chat: ChatRecord): void;
  /** Called where messages were appended to a chat. */
  grown(chat: ChatRecord): void;
  /**
   * Runs work on a chat in which nothing else is under way, with the epoch for its writes.
   * @throws KernelError turn_running, kernel_away
   */
  whileIdle<Result>(chatId: string, work: (epoch: number | undefined) => Promise<Result>): Promise<Result>;
}

/** Where no kernel runs. */
export const NOBODY: ChatKeeper = {
  created() {},
  grown() {},
  whileIdle: (_, work) => work(undefined),
};
