/** The queues of all chats that have turns or followers, and which turn stands where. */
import type { Chat } from '@chat-kernel/protocol';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import { ChatQueue } from './chat-queue.ts';

export class Queues {
  readonly #queues = new Map<string, ChatQueue>();
  readonly #run: (turn: RunningTurn, placed: boolean) => Promise<void>;
  readonly #sleeper: Pick<Sleeper, 'gate' | 'state'>;

  /** @param run runs a turn to its end; never rejects */
  constructor(
    run: (turn: RunningTurn, placed: boolean) => Promise<void>,
    sleeper: Pick<Sleeper, 'gate' | 'state'>,
  ) {
    this.#run = run;
    this.#sleeper = sleeper;
  }

  get all(): ChatQueue[] {
    return [...this.#queues.values()];
  }

  /** The queue of a chat; undefined where nothing is in it and nobody follows it. */
  find(chatId: string): ChatQueue | undefined {
    return this.#queues.get(chatId);
  }

  /** The queue of a chat, made where it has none. It leaves memory when nothing is left in it. */
  of(chatId: string): ChatQueue {
    let queue = this.#queues.get(chatId);
    if (queue === undefined) {
      queue = new ChatQueue(this.#run, () => this.#sweep(chatId), this.#sleeper);
      this.#queues.set(chatId, queue);
    }
    return queue;
  }

  /** Lets go of the queue of a chat, whose turns are gone on with elsewhere. */
  remove(chatId: string): ChatQueue | undefined {
    const queue = this.find(chatId);
    this.#queues.delete(chatId);
    return queue;
  }

  /** A turn of a chat that has not ended. */
  turn(chatId: string, id: string): RunningTurn | undefined {
    return this.find(chatId)?.turns.find(({ record }) => record.id === id);
  }

  statusOf(turn: RunningTurn): 'running' | 'queued' | 'sleeping' {
    if (turn.sleep.active) return 'sleeping';
    if (this.find(turn.record.chat_id)?.runs(turn)) return 'running';
    return this.#sleeper.state === null ? 'queued' : 'sleeping';
  }

  /** The turn that runs or is the first to wait; one whose message is not stored yet does not count. */
  current(chatId: string): Chat['turn'] {
    const turn = this.find(chatId)?.turns[0];
    return turn?.life.isStored ? { id: turn.record.id, status: this.statusOf(turn) } : null;
  }

  /** The id of the turn that runs. */
  running(chatId: string): string | null {
    const current = this.current(chatId);
    return current?.status === 'running' ? current.id : null;
  }

  /**
   * The tokens of the prompt before any message, as the last trip of the running turn had them; null where there was
   * none.
   */
  prefix(chatId: string): number | null {
    return this.find(chatId)?.turns[0]?.window.prefixTokens ?? null;
  }

  /**
   * The turns of all chats that sleep: those that wait for the kernel to wake, and those that sleep by themselves.
   */
  asleep(): { chat_id: string; turn_id: string }[] {
    return this.all.flatMap(queue =>
      queue.turns
        .filter(turn => this.statusOf(turn) === 'sleeping')
        .map(({ record }) => ({ chat_id: record.chat_id, turn_id: record.id })),
    );
  }

  /**
   * The running turn of a client with hands, as long as that client can be asked. A turn that waits is not returned.
   */
  withHands(chatId: string): RunningTurn | undefined {
    return this.find(chatId)?.turns.find(
      turn => turn.life.begun && turn.record.parameters.client_ops && turn.life.isOpen,
    );
  }

  #sweep(chatId: string): void {
    if (this.find(chatId)?.idle) this.#queues.delete(chatId);
  }
}
