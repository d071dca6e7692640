/** The turn that each chat is shown with: from memory where this kernel owns the chat, else from the store. */
import type { Chat } from '@chat-kernel/protocol';
import type { Ownership } from '../fleet/ownership.ts';
import type { Store, TurnRecord } from '../ports/index.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Queues } from './queues.ts';

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

  async of(chatId: string): Promise<Shown> {
    return (await this.ofAll([chatId])).get(chatId) ?? null;
  }

  async ofAll(chatIds: readonly string[]): Promise<Map<string, Shown>> {
    const own = chatIds.filter(id => this.#ownership.has(id));
    const shown = new Map(own.map(id => [id, this.#queues.current(id)]));
    if (own.length === chatIds.length) return shown;
    const others = chatIds.filter(id => !shown.has(id));
    for (const turn of firstOfEach(await this.#store.turns.listUnfinished(others))) {
      shown.set(turn.chat_id, { id: turn.id, status: turn.status });
    }
    return shown;
  }

  /** The turns of all chats that sleep, in whichever kernel. */
  async asleep(): Promise<{ chat_id: string; turn_id: string }[]> {
    if (this.#store.fleet === null) return this.#queues.asleep();
    const open = await this.#store.turns.listUnfinished();
    const waits = this.#sleeper.state === null ? ['sleeping'] : ['sleeping', 'queued'];
    return open
      .filter(({ status }) => waits.includes(status))
      .map(({ chat_id, id }) => ({ chat_id, turn_id: id }));
  }

  /** The id of the turn that runs; null: none does. */
  async running(chatId: string): Promise<string | null> {
    const turn = await this.of(chatId);
    return turn?.status === 'running' ? turn.id : null;
  }
}

/** Of each chat the turn that has begun, or else the one that has waited longest. @param turns the oldest first */
function firstOfEach(turns: readonly TurnRecord[]): TurnRecord[] {
  const first = new Map<string, TurnRecord>();
  for (const turn of turns) {
    const known = first.get(turn.chat_id);
    if (known === undefined || (known.started_at === null && turn.started_at !== null))
      first.set(turn.chat_id, turn);
  }
  return [...first.values()];
}
