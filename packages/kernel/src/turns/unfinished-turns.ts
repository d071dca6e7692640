/**
 * Restores turns that another process left behind: the previous process, or another kernel whose chats this one
 * adopted.
 */
import type { NewMessage, TurnRecord } from '../ports/index.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { resumeSleepingTurn } from '../turn/sleeping.ts';
import { closeAfterCrash } from '../turn/turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Places } from './after-turn.ts';

export class UnfinishedTurns {
  readonly #services: TurnServices;
  /** The destinations of restored turns: queues for those that waited, ends for those that ran. */
  readonly #places: Places;
  /** The messages that the journal has for turns of the previous process. */
  #left = new Map<string, NewMessage[]>();

  constructor(services: TurnServices, places: Places) {
    this.#services = services;
    this.#places = places;
  }

  /** See Turns.recover. */
  async recover(adoptAll: () => Promise<void> | undefined = () => undefined): Promise<void> {
    const {
      store,
      steps: { journal },
    } = this.#services;
    this.#left = journal.recover();
    if (store.fleet === null) await this.#takeUp(await store.turns.listUnfinished());
    // Chats are adopted one by one, if no other kernel owns them.
    else await adoptAll();
    this.#left = new Map();
    journal.recovered();
  }

  /** Continues the turns of a chat that this kernel has just adopted (FLEET-3). */
  async adopt(chatId: string): Promise<void> {
    const { histories, store } = this.#services;
    histories.forget(chatId);
    await this.#takeUp(await store.turns.listUnfinished([chatId]));
  }

  /** Continues a turn whose insert seemed to fail but is in the store. */
  async goOn({ chat_id, id }: Pick<TurnRecord, 'chat_id' | 'id'>): Promise<void> {
    const { ownership, store } = this.#services;
    const record = await store.turns.get(chat_id, id);
    const isKnown = this.#places.queues.turn(chat_id, id) !== undefined;
    const isOpen = record?.ended_at === null && !isKnown;
    // The current owner of the chat continues the turn.
    if (isOpen && ownership.has(chat_id)) await this.#takeUp([record]);
  }

  async #takeUp(records: readonly TurnRecord[]): Promise<void> {
    // A restored turn has a new log. Its event ids start far above the old ones, so that no id is used for two events.
    const base = this.#services.clock.now();
    const { store, events } = this.#services;
    const { queues, ended, unstored } = this.#places;
    for (const record of records) {
      const turn = new RunningTurn(record, this.#services, base);
      const left = this.#left.get(record.id);
      if (record.status === 'running') {
        await closeAfterCrash(turn, left, this.#services);
        unstored.note(turn);
        if (turn.life.isFenced) continue;
        const status = turn.outcome.status ?? 'failed';
        if (store.fleet === null) {
          events.runEnded(record, status);
          continue;
        }
        // Viewers of the kernel that died connect here for the end of the turn.
        ended.keep(record.chat_id, turn.feed);
        events.turnLost(record);
        events.turnEnded(record, status);
      } else {
        if (record.started_at !== null) await resumeSleepingTurn(turn, left, this.#services);
        queues.of(record.chat_id).add(turn, record.started_at !== null);
      }
    }
  }
}
