/** Turns that another process has left: one before this one, or another kernel whose chats this one has taken. */
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import type { NewMessage, TurnRecord } from '../ports/index.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { takeUp } from '../turn/sleeping.ts';
import { closeAfterCrash } from '../turn/turn.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Queues } from './queues.ts';
import type { UnstoredEnds } from './unstored-ends.ts';

/** Where they go: those that wait into their queues, those that ran to the ends of turns. */
interface Places {
  queues: Queues;
  ended: EndedFeeds;
  unstored: UnstoredEnds;
}

export class UnfinishedTurns {
  readonly #services: TurnServices;
  readonly #places: Places;
  /** What the journal has of the turns of the process before this one. */
  #left = new Map<string, NewMessage[]>();

  constructor(services: TurnServices, places: Places) {
    this.#services = services;
    this.#places = places;
  }

  /** See Turns.recover. */
  async recover(adoptAll: () => Promise<void> | undefined = () => undefined): Promise<void> {
    const { journal, store } = this.#services;
    this.#left = journal.recover();
    if (store.fleet === null) await this.#takeUp(await store.turns.listUnfinished());
    // Chats are adopted one by one, as far as nobody else has them.
    else await adoptAll();
    this.#left = new Map();
    journal.recovered();
  }

  /** Goes on with the turns of a chat that this kernel has just taken (FLEET-3). */
  async adopt(chatId: string): Promise<void> {
    const { histories, store } = this.#services;
    histories.forget(chatId);
    await this.#takeUp(await store.turns.listUnfinished([chatId]));
  }

  /** Goes on with a turn that the store has after all, though that had seemed to fail. */
  async goOn({ chat_id, id }: Pick<TurnRecord, 'chat_id' | 'id'>): Promise<void> {
    const { ownership, store } = this.#services;
    const record = await store.turns.get(chat_id, id);
    const isKnown = this.#places.queues.turn(chat_id, id)?.life.isStored === true;
    const isOpen = record?.ended_at === null && !isKnown;
    // Whoever has the chat by now goes on with it.
    if (isOpen && ownership.has(chat_id)) await this.#takeUp([record]);
  }

  async #takeUp(records: readonly TurnRecord[]): Promise<void> {
    // A turn that is taken up has a new log. Its event ids begin far behind those of the old one, so that none means
    // two events.
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
        // Viewers of the kernel that died come here for its end.
        ended.keep(record.chat_id, turn.feed);
        events.turnLost(record);
        events.turnEnded(record, status);
      } else {
        if (record.started_at !== null) await takeUp(turn, left, this.#services);
        queues.of(record.chat_id).add(turn, record.started_at !== null);
      }
    }
  }
}
