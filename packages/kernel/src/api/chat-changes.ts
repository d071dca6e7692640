/** Changes of the course of a chat come one after the other, and some of them only while no turn is open. */
import { KernelError } from '@chat-kernel/protocol';
import { PerKey } from '../base/keyed-queue.ts';

/** The turns of all chats, as far as changes have to know them. */
interface OpenTurns {
  readonly queues: {
    /** The turn of a chat that runs or waits first; null: none. */
    current(chatId: string): unknown;
  };
  /** Stores the ends of turns that could not be stored when they came. */
  settle(chatId: string): Promise<void>;
}

export class ChatChanges {
  readonly #turns: OpenTurns;
  readonly #queue = new PerKey();

  constructor(turns: OpenTurns) {
    this.#turns = turns;
  }

  /** Runs the change when those before it in the same chat are over. */
  run<T>(chatId: string, change: () => Promise<T>): Promise<T> {
    return this.#queue.run(chatId, change);
  }

  /** @throws KernelError turn_running */
  checkIdle(chatId: string): void {
    if (this.#turns.queues.current(chatId) !== null) {
      throw new KernelError('turn_running', 'A turn of this chat is running or waits: cancel it first.');
    }
  }

  /** For a change of the history: no turn is open, and the ends of all earlier ones are stored. @throws KernelError turn_running */
  async settleHistory(chatId: string): Promise<void> {
    this.checkIdle(chatId);
    await this.#turns.settle(chatId);
  }

  /** Resolves when no change is under way. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }
}
