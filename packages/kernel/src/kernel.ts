/** The kernel: what everything above it may ask of chats and turns. */
import {
  type CancelResult,
  type Chat,
  type ChatPage,
  type CompactResult,
  type CreateChat,
  type ForkChat,
  type ItemPage,
  KernelError,
  type MessagePage,
  type ModelList,
  type Plan,
  type RewindResult,
  type Spend,
  type ToolList,
  type Turn,
  type TurnRequest,
} from '@chat-kernel/protocol';
import { Archive } from './archive/archive.ts';
import { isId } from './base/ids.ts';
import { PerKey } from './base/keyed-queue.ts';
import type { Books } from './books/books.ts';
import { type ChatPatch, Chats, noChat } from './chats/chats.ts';
import { foldNow } from './chats/compact.ts';
import { fork } from './chats/fork.ts';
import { rewind } from './chats/rewind.ts';
import { Completions } from './completions/completions.ts';
import { publicChat } from './events/public-chat.ts';
import type { Reader, ResumedReader } from './feed/reader.ts';
import { Files } from './files/files.ts';
import { itemPage, messagePage, type PageRequest } from './history/pages.ts';
import { add, NOTHING_USED } from './model/pricing.ts';
import { Modules } from './modules/modules.ts';
import type { Notebooks } from './notebooks/notebooks.ts';
import { Operations } from './operations.ts';
import { Persons } from './persons/persons.ts';
import type { ChatFilter } from './ports/index.ts';
import { createServices, type KernelParts } from './services.ts';
import { SleepApi } from './sleep/sleep-api.ts';
import { Statistics } from './statistics/statistics.ts';
import type { TurnServices } from './turn/turn-services.ts';
import { type LiveRequest, type StartedTurn, Turns } from './turns/turns.ts';
import { Videos } from './video/videos.ts';

/** A kernel that has closed what a crash left open and goes on with what waited. */
export async function openKernel(parts: KernelParts): Promise<Kernel> {
  const kernel = new Kernel(parts);
  await kernel.recover();
  return kernel;
}

/** Every method throws a KernelError for what a client did wrong: not_found for any id that names nothing. */
export class Kernel {
  readonly #services: TurnServices;
  /** What clients are asked to do. */
  readonly operations: Operations;
  /** Falling asleep and waking. */
  readonly rest: SleepApi;
  readonly notebooks: Notebooks;
  readonly books: Books;
  readonly files: Files;
  readonly persons: Persons;
  readonly modules: Modules;
  readonly statistics: Statistics;
  /** One-off calls to a model. */
  readonly completions: Completions;
  /** What was said, searched and exported. */
  readonly archive: Archive;
  /** What was watched, and which channels are followed. */
  readonly videos: Videos;
  readonly #chats: Chats;
  readonly #turns: Turns;
  /** What changes the course of one chat happens one after the other. */
  readonly #inTurn = new PerKey();
  readonly #closing = new AbortController();

  constructor(parts: KernelParts) {
    const services = createServices(parts, chatId => this.#turns.current(chatId));
    const { store, models, clock, extensions } = parts;
    this.#services = services;
    this.notebooks = services.notebooks;
    this.books = services.books;
    this.files = new Files(store, clock);
    this.persons = new Persons(store, clock);
    this.modules = new Modules(extensions);
    this.statistics = new Statistics({
      store,
      models,
      modules: this.modules,
      spending: services.spending,
      clock,
    });
    this.completions = new Completions(store, models, services.spending, this.#closing.signal);
    this.#chats = new Chats(store, models, clock);
    this.#turns = new Turns(services);
    this.operations = new Operations(services, this.#turns, this.#chats);
    this.rest = new SleepApi(services.sleeper, this.#turns, clock);
    this.archive = new Archive(store, this.#chats, id => this.#turns.running(id));
    this.videos = new Videos(store, services.events, clock);
  }

  async recover(): Promise<void> {
    await this.#services.grants.load();
    await this.#services.sleeper.load();
    await this.#services.spending.load();
    await this.#turns.recover();
  }

  async createChat(body: CreateChat): Promise<Chat> {
    const chat = await this.#chats.create(body);
    this.#services.histories.begin(chat.id);
    this.#services.events.chatCreated(chat);
    return publicChat(chat, null);
  }

  async chat(id: string): Promise<Chat> {
    return publicChat(await this.#chats.get(id), this.#turns.current(id));
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async chats(filter: ChatFilter): Promise<ChatPage> {
    const { chats, next_before } = await this.#chats.list(filter);
    return { chats: chats.map(chat => publicChat(chat, this.#turns.current(chat.id))), next_before };
  }

  /** @throws KernelError unknown_model; of a summary also turn_running and invalid_value */
  async patchChat(id: string, patch: ChatPatch): Promise<Chat> {
    if (patch.summary === undefined) return this.#patched(id, patch);
    return this.#inTurn.run(id, async () => {
      this.#checkIdle(id);
      const chat = await this.#patched(id, patch);
      this.#services.histories.forget(id);
      return chat;
    });
  }

  /** A new chat of what stands before a message (FORK-1); a turn of this one may run. */
  fork(id: string, body: ForkChat): Promise<Chat> {
    return this.#inTurn.run(id, async () => {
      const branch = await fork(await this.#chats.get(id), body, this.#services.store, this.#services.clock);
      this.#services.events.chatCreated(branch);
      return publicChat(branch, null);
    });
  }

  /** With `force` a turn that runs is cancelled first. @throws KernelError turn_running */
  deleteChat(id: string, { force }: { force: boolean }): Promise<{ deleted: true; id: string }> {
    return this.#inTurn.run(id, async () => {
      if (force) await this.#turns.cancel(id, true);
      this.#checkIdle(id);
      this.#services.titles.forget(id);
      if (!isId(id) || !(await this.#services.store.chats.delete(id))) throw noChat(id);
      this.#services.histories.forget(id);
      this.#turns.forget(id);
      this.#services.grants.forget(id);
      this.#services.projects.forget(id);
      this.#services.spending.forget(id);
      this.#services.events.chatDeleted(id);
      return { deleted: true, id };
    });
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async messages(chatId: string, page: PageRequest): Promise<MessagePage> {
    await this.#chats.get(chatId);
    return messagePage(this.#services.store, chatId, page);
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async items(chatId: string, page: PageRequest): Promise<ItemPage> {
    await this.#chats.get(chatId);
    return itemPage(this.#services.store, chatId, page, this.#turns.running(chatId));
  }

  /** Deletes a message and all after it (MSG-3). @throws KernelError turn_running */
  rewind(chatId: string, messageId: string): Promise<RewindResult> {
    return this.#inTurn.run(chatId, async () => {
      const chat = await this.#chats.get(chatId);
      this.#checkIdle(chatId);
      await this.#turns.settle(chatId);
      return rewind(chat, messageId, this.#services);
    });
  }

  /** The user's message is on disk when this answers. Errors as of `Turns.start`. */
  startTurn(
    chatId: string,
    request: TurnRequest,
    { idempotencyKey }: { idempotencyKey?: string } = {},
  ): Promise<StartedTurn> {
    return this.#inTurn.run(chatId, async () =>
      this.#turns.start(await this.#chats.get(chatId), request, idempotencyKey),
    );
  }

  /** What GET /live reads from; null where no turn is queued, sleeping or running. */
  async live(chatId: string, request: LiveRequest): Promise<ResumedReader | null> {
    await this.#chats.get(chatId);
    return this.#turns.live(chatId, request);
  }

  /** What GET /v1/events reads from. @param after Last-Event-ID */
  events(after?: string): Reader {
    return this.#services.events.reader(after);
  }

  /** Folds the older part of the history now. @throws KernelError turn_running, upstream_error */
  compact(chatId: string): Promise<CompactResult> {
    return this.#inTurn.run(chatId, async () => {
      const chat = await this.#chats.get(chatId);
      this.#checkIdle(chatId);
      await this.#turns.settle(chatId);
      return foldNow(chat, this.#services, this.#closing.signal);
    });
  }

  /** Answers once the turn has ended. */
  async cancel(chatId: string, { queued }: { queued: boolean }): Promise<CancelResult> {
    await this.#chats.get(chatId);
    return this.#turns.cancel(chatId, queued);
  }

  async turn(chatId: string, turnId: string): Promise<Turn> {
    await this.#chats.get(chatId);
    return this.#turns.outcome(chatId, turnId);
  }

  /** The books of one chat (CHAT-7). */
  async spend(chatId: string): Promise<Spend> {
    const chat = await this.#chats.get(chatId);
    // Stored when a turn ends; the first of a chat would count its prefix as talk until then.
    const prefix_tokens = this.#turns.prefix(chatId) ?? chat.prefix_tokens;
    const by_model = await this.#services.store.spend.list(chatId);
    const turns = by_model.reduce((sum, row) => sum + row.turns, 0);
    const caps = this.#services.spending.shown(chatId, by_model);
    return { prefix_tokens, ...by_model.reduce(add, NOTHING_USED), turns, by_model, ...(caps && { caps }) };
  }

  async plan(chatId: string): Promise<Plan> {
    return { tasks: (await this.#chats.get(chatId)).plan };
  }

  /** Closes the plan; whoever watches a running turn is told (PLAN-1). */
  async erasePlan(chatId: string): Promise<Plan> {
    await this.#chats.get(chatId);
    await this.#services.store.chats.update(chatId, { plan: [] });
    this.#turns.showPlan(chatId, []);
    return { tasks: [] };
  }

  /** All tools there are, as models get them (API-4). */
  tools(): ToolList {
    return this.#services.toolbox.list();
  }

  models(): ModelList {
    return this.#services.models.list();
  }

  /** Resolves when requests can be served. */
  ready(): Promise<void> {
    return this.#services.store.ping();
  }

  /** No turn starts any more; running ones get this long, then they are closed as after a crash. */
  async shutdown(graceSecs: number): Promise<void> {
    this.#turns.refuse();
    this.#closing.abort();
    await this.#inTurn.settled();
    await this.#turns.stop(graceSecs * 1000);
    this.#services.sleeper.stop();
    await this.#services.titles.stop();
    this.#services.events.close();
  }

  async #patched(id: string, patch: ChatPatch): Promise<Chat> {
    if (patch.title !== undefined) this.#services.titles.named(id);
    const chat = await this.#chats.patch(id, patch);
    this.#services.events.chatUpdated(chat);
    return publicChat(chat, this.#turns.current(id));
  }

  #checkIdle(chatId: string): void {
    if (this.#turns.current(chatId) !== null) {
      throw new KernelError('turn_running', 'A turn of this chat is running or waits: cancel it first.');
    }
  }
}
