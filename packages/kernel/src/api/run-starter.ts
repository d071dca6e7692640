/** Starts the turns of schedules, each in the queue of changes of its chat. */
import type { Chats } from '../chats/chats.ts';
import type { NewRun, TurnStarter } from '../feature-host.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Turns } from '../turns/turns.ts';
import type { ChatChanges } from './chat-changes.ts';

export class RunStarter implements TurnStarter {
  readonly #chats: Chats;
  readonly #turns: Turns;
  readonly #changes: ChatChanges;
  readonly #services: Pick<TurnServices, 'ownership' | 'store'>;

  constructor(
    chats: Chats,
    turns: Turns,
    changes: ChatChanges,
    services: Pick<TurnServices, 'ownership' | 'store'>,
  ) {
    this.#chats = chats;
    this.#turns = turns;
    this.#changes = changes;
    this.#services = services;
  }

  async startRun({ claim, chat_id, title, max_cost_usd, grants, request }: NewRun) {
    const { ownership, store } = this.#services;
    const { schedule_id: id, due_at } = claim;
    const parameters = {
      schedule: { id, due_at },
      ...(max_cost_usd !== null && { max_cost_usd }),
      ...(grants.length > 0 && { grants }),
    };
    const made = chat_id === null ? this.#chats.made(title === null ? {} : { title }) : undefined;
    const chatId = made?.id ?? (chat_id as string);
    const owner = store.fleet?.id;
    const newChat = made && { chat: made, ...(owner !== undefined && { owner }) };
    if (made) ownership.made(chatId);
    const { turn_id } = await this.#changes
      .run(chatId, async () => {
        const chat = made ?? (await this.#chats.get(chatId));
        const run = { claim: { ...claim, ...newChat }, parameters };
        return this.#turns.start(chat, request(chat), {}, { run });
      })
      .catch(error => {
        if (made) ownership.unmade(chatId);
        throw error;
      });
    return { turn_id, chat_id: chatId };
  }
}
