/** Holds the queues of all chats that have turns or followers, and finds turns in them. */
import type { Chat, TurnStatus, WaitingFor } from '@chat-kernel/protocol';
import type { Requests } from '../requests/requests.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import { ChatQueue } from './chat-queue.ts';

export class Queues {
  readonly #queues = new Map<string, ChatQueue>();
  readonly #run: (turn: RunningTurn, placed: boolean) => Promise<void>;
  readonly #sleeper: Pick<Sleeper, 'gate' | 'state'>;
  readonly #requests: Pick<Requests, 'isTurnWaiting'>;

  /** @param run runs a turn to its end; never rejects */
  constructor(
    run: (turn: RunningTurn, placed: boolean) => Promise<void>,
    services: { sleeper: Pick<Sleeper, 'gate' | 'state'>; requests: Pick<Requests, 'isTurnWaiting'> },
  ) {
    this.#run = run;
    this.#sleeper = services.sleeper;
    this.#requests = services.requests;
  }

  get all(): ChatQueue[] {
    return [...this.#queues.values()];
  }

  /** The queue of a chat; undefined if it has no turns and no followers. */
  find(chatId: string): ChatQueue | undefined {
    return this.#queues.get(chatId);
  }

  /** The queue of a chat, created if needed. It is removed from memory when it becomes empty. */
  of(chatId: string): ChatQueue {
    let queue = this.#queues.get(chatId);
    if (queue === undefined) {
      queue = new ChatQueue(this.#run, () => this.#sweep(chatId), this.#sleeper);
      this.#queues.set(chatId, queue);
    }
    return queue;
  }

  /** Removes the queue of a chat whose turns continue on another kernel. */
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

  /** Returns the reason why a turn waits (WIRE-6). */
  waitingFor(turn: RunningTurn): WaitingFor {
    const status = this.statusOf(turn);
    if (status !== 'running') return toWaitingFor(status);
    if (turn.model.waits) return 'provider';
    return this.#requests.isTurnWaiting(turn.record.id) ? 'request' : null;
  }

  /** The running turn, or the first waiting one. */
  current(chatId: string): Chat['turn'] {
    const turn = this.find(chatId)?.turns[0];
    if (turn === undefined) return null;
    return { id: turn.record.id, status: this.statusOf(turn), waiting_for: this.waitingFor(turn) };
  }

  /** The id of the running turn. */
  running(chatId: string): string | null {
    const current = this.current(chatId);
    return current?.status === 'running' ? current.id : null;
  }

  /**
   * The tokens of the prompt before the first message in the last provider request of the running turn; null before the
   * first request.
   */
  prefix(chatId: string): number | null {
    return this.find(chatId)?.turns[0]?.model.window.prefixTokens ?? null;
  }

  /** The sleeping turns of all chats: those that wait for the kernel to wake, and those that sleep on their own. */
  asleep(): { chat_id: string; turn_id: string }[] {
    return this.all.flatMap(queue =>
      queue.turns
        .filter(turn => this.statusOf(turn) === 'sleeping')
        .map(({ record }) => ({ chat_id: record.chat_id, turn_id: record.id })),
    );
  }

  /** The running turn of a client with hands, as long as that client can be asked. Waiting turns are not returned. */
  withHands(chatId: string): RunningTurn | undefined {
    return this.find(chatId)?.turns.find(
      turn => turn.life.begun && turn.record.parameters.client_ops && turn.life.isOpen,
    );
  }

  /** The turn of a chat that has begun and not ended. */
  open(chatId: string): RunningTurn | undefined {
    return this.find(chatId)?.turns.find(turn => turn.life.begun && turn.life.isOpen);
  }

  #sweep(chatId: string): void {
    if (this.find(chatId)?.idle) this.#queues.delete(chatId);
  }
}

/** The wait reason that the status of a turn implies. */
export function toWaitingFor(status: TurnStatus): WaitingFor {
  if (status === 'queued') return 'queue';
  return status === 'sleeping' ? 'sleep' : null;
}
