/** Serializes changes of a chat; some of them require that no turn is open. */
import { KernelError } from '@chat-kernel/protocol';
import { KeyedQueue } from '../base/keyed-queue.ts';

/** The information about turns that changes need. */
interface OpenTurns {
  readonly queues: {
    /** The running or first waiting turn of a chat; null if there is none. */
    current(chatId: string): unknown;
  };
  /** Stores the ends of turns that could not be stored earlier. */
  settle(chatId: string): Promise<void>;
}

export class ChatChanges {
  readonly #turns: OpenTurns;
  readonly #queue = new KeyedQueue();

  constructor(turns: OpenTurns) {
    this.#turns = turns;
  }

  /** Runs the change when earlier ones in the same chat are over. */
  run<T>(chatId: string, change: () => Promise<T>): Promise<T> {
    return this.#queue.run(chatId, change);
  }

  /** @throws KernelError turn_running */
  checkIdle(chatId: string): void {
    if (this.#turns.queues.current(chatId) !== null) {
      throw new KernelError('turn_running', 'A turn of this chat is running or queued. Cancel it first.');
    }
  }

  /**
   * Prepares a change of the history: no turn is open, and the ends of all earlier ones are stored.
   * @throws KernelError turn_running
   */
  async settleHistory(chatId: string): Promise<void> {
    this.checkIdle(chatId);
    await this.#turns.settle(chatId);
    // A turn whose start was stored without an answer runs again by now.
    this.checkIdle(chatId);
  }

  /** Resolves when no change is in progress. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }
}
