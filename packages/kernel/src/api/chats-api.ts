/** Implements chats for the API: their records, branches, plans and spend. */
import type { Chat, ChatPage, CreateChat, ForkChat, Plan, Spend } from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { type ChatPatch, noChat } from '../chats/chats.ts';
import { fork } from '../chats/fork.ts';
import { publicChat } from '../events/public-chat.ts';
import { add, NOTHING_USED } from '../model/pricing.ts';
import type { ChatFilter } from '../ports/index.ts';
import { ApiBase } from './api-base.ts';

export class ChatsApi extends ApiBase {
  async create(body: CreateChat): Promise<Chat> {
    const chat = await this.chats.create(body);
    this.services.ownership.made(chat.id);
    this.services.histories.begin(chat.id);
    this.services.events.chatCreated(chat);
    return publicChat(chat, null);
  }

  async get(id: string): Promise<Chat> {
    return publicChat(await this.chats.get(id), await this.turns.shown.get(id));
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async list(filter: ChatFilter): Promise<ChatPage> {
    const { chats, next_before } = await this.chats.list(filter);
    const turns = await this.turns.shown.getAll(chats.map(({ id }) => id));
    return { chats: chats.map(chat => publicChat(chat, turns.get(chat.id) ?? null)), next_before };
  }

  /** @throws KernelError unknown_model; for a summary also turn_running and invalid_value */
  async patch(id: string, patch: ChatPatch): Promise<Chat> {
    if (patch.summary === undefined) return this.#patched(id, patch);
    return this.changes.run(id, async () => {
      this.changes.checkIdle(id);
      const chat = await this.#patched(id, patch);
      this.services.histories.forget(id);
      return chat;
    });
  }

  /** Creates a new chat from the messages before a given one (FORK-1); a turn may be running in this chat. */
  fork(id: string, body: ForkChat): Promise<Chat> {
    return this.changes.run(id, async () => {
      const branch = await fork(await this.chats.get(id), body, this.services.store, this.services.clock);
      this.services.events.chatCreated(branch);
      return publicChat(branch, null);
    });
  }

  /** With `force`, a running turn is canceled first. @throws KernelError turn_running */
  delete(id: string, { force }: { force: boolean }): Promise<{ deleted: true; id: string }> {
    return this.changes.run(id, async () => {
      if (force) await this.turns.cancel(id, true);
      this.changes.checkIdle(id);
      for (const feature of this.services.features) feature.chatDeleting?.(id);
      if (!isId(id) || !(await this.services.store.chats.delete(id))) throw noChat(id);
      // The chat is deleted: steps that may fail come last.
      this.services.histories.forget(id);
      this.turns.forget(id);
      this.services.machines.grants.forget(id);
      this.services.machines.projects.forget(id);
      this.services.spending.forget(id);
      this.services.events.chatDeleted(id);
      for (const feature of this.services.features) await feature.chatDeleted?.(id);
      await this.services.machines.undo.forget(id);
      return { deleted: true, id };
    });
  }

  /** Tokens and money that one chat has used (CHAT-7). */
  async spend(id: string): Promise<Spend> {
    const chat = await this.chats.get(id);
    // The stored number is updated at the end of a turn: in the first turn of a chat it would count the prefix as
    // conversation.
    const prefix_tokens = this.turns.queues.prefix(id) ?? chat.prefix_tokens;
    const by_model = await this.services.store.spend.list(id);
    const turns = by_model.reduce((sum, row) => sum + row.turns, 0);
    const caps = this.services.spending.shown(id, by_model);
    return { prefix_tokens, ...by_model.reduce(add, NOTHING_USED), turns, by_model, ...(caps && { caps }) };
  }

  async plan(id: string): Promise<Plan> {
    return { tasks: (await this.chats.get(id)).plan };
  }

  /** Closes the plan and sends this to all followers of the chat, whether or not a turn is running (PLAN-1). */
  async erasePlan(id: string): Promise<Plan> {
    const chat = await this.chats.get(id);
    await this.services.store.chats.update(id, { plan: [] });
    this.turns.showPlan(id, []);
    this.services.events.chatUpdated(chat);
    return { tasks: [] };
  }

  async #patched(id: string, patch: ChatPatch): Promise<Chat> {
    const { features, ownership } = this.services;
    if (patch.title !== undefined) for (const feature of features) feature.chatNamed?.(id);
    const chat = await this.chats.patch(id, patch, ownership.has(id) ? ownership.hold(id) : id);
    this.services.events.chatUpdated(chat);
    return publicChat(chat, this.turns.queues.current(id));
  }
}
