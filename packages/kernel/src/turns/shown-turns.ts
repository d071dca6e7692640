/** Finds the current turn of each chat: from memory if this kernel owns the chat, otherwise from the store. */
import type { Chat, Turn, WaitingFor } from '@chat-kernel/protocol';
import type { Ownership } from '../fleet/ownership.ts';
import type { Store, TurnRecord } from '../ports/index.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { type Queues, toWaitingFor } from './queues.ts';

type Shown = Chat['turn'];

export class ShownTurns {
  readonly #queues: Pick<Queues, 'asleep' | 'current'>;
  readonly #ownership: Pick<Ownership, 'has'>;
  readonly #store: Store;
  readonly #sleeper: Pick<Sleeper, 'state'>;

  constructor(
    queues: Pick<Queues, 'asleep' | 'current'>,
    { ownership, store, sleeper }: Pick<TurnServices, 'ownership' | 'sleeper' | 'store'>,
  ) {
    this.#queues = queues;
    this.#ownership = ownership;
    this.#store = store;
    this.#sleeper = sleeper;
  }

  async get(chatId: string): Promise<Shown> {
    return (await this.getAll([chatId])).get(chatId) ?? null;
  }

  async getAll(chatIds: readonly string[]): Promise<Map<string, Shown>> {
    const local = chatIds.filter(id => this.#ownership.has(id));
    const turns = new Map(local.map(id => [id, this.#queues.current(id)]));
    if (local.length === chatIds.length) return turns;
    const remote = chatIds.filter(id => !turns.has(id));
    for (const turn of firstPerChat(await this.#store.turns.listUnfinished(remote))) {
      turns.set(turn.chat_id, {
        id: turn.id,
        status: turn.status,
        waiting_for: toWaitingFor(turn.status),
      });
    }
    return turns;
  }

  /** The sleeping turns of all chats on all kernels. */
  async asleep(): Promise<{ chat_id: string; turn_id: string }[]> {
    if (this.#store.fleet === null) return this.#queues.asleep();
    const open = await this.#store.turns.listUnfinished();
    const statuses = this.#sleeper.state === null ? ['sleeping'] : ['sleeping', 'queued'];
    return open
      .filter(({ status }) => statuses.includes(status))
      .map(({ chat_id, id }) => ({ chat_id, turn_id: id }));
  }

  /** The id of the running turn; null if no turn is running. */
  async running(chatId: string): Promise<string | null> {
    const turn = await this.get(chatId);
    return turn?.status === 'running' ? turn.id : null;
  }
}

/**
 * For each chat, the turn that has begun, or else the one that has waited longest.
 * @param turns the turns, oldest first
 */
function firstPerChat(turns: readonly TurnRecord[]): TurnRecord[] {
  const first = new Map<string, TurnRecord>();
  for (const turn of turns) {
    const known = first.get(turn.chat_id);
    if (known === undefined || (known.started_at === null && turn.started_at !== null))
      first.set(turn.chat_id, turn);
  }
  return [...first.values()];
}

/** The API form of a turn, while it runs and afterwards (TURN-12). */
export function toTurn({ error, parameters, ...record }: TurnRecord, waiting_for: WaitingFor): Turn {
  const { id, chat_id, status, model, effort, started_at, ended_at, usage, outside } = record;
  const { anchor } = parameters;
  return {
    id,
    chat_id,
    status,
    waiting_for,
    model,
    effort,
    started_at,
    ended_at,
    usage,
    outside: [...outside],
    ...(anchor && { anchor }),
    ...(error && { error }),
  };
}
