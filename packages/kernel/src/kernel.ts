/** The kernel: what everything above it may ask of chats and turns. */
import type { Readable } from 'node:stream';
import {
  type CancelResult,
  type Chat,
  type ChatPage,
  type CreateChat,
  type ItemPage,
  KernelError,
  type MessagePage,
  type ModelList,
  type OpsProgress,
  type OpsResult,
  type Plan,
  type RequestList,
  type ResolvedRequest,
  type RewindResult,
  type Settings,
  type Spend,
  type Turn,
  type TurnRequest,
} from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { type ChatPatch, Chats, noChat, publicChat } from './chat/chats.ts';
import { isId } from './chat/cursor.ts';
import { PerKey } from './chat/per-key.ts';
import { rewind } from './chat/rewind.ts';
import type { Reader } from './feed/reader.ts';
import { safeFileName } from './files/file-name.ts';
import { Histories } from './history/histories.ts';
import { itemPage, messagePage, type PageRequest } from './history/pages.ts';
import {
  type ChatFilter,
  type Clock,
  type FileRecord,
  type Log,
  type Models,
  type Store,
  type Tool,
  timestamp,
} from './ports/index.ts';
import { Requests } from './requests/requests.ts';
import { Toolbox } from './toolbox/toolbox.ts';
import { add, NOTHING_USED } from './turn/books.ts';
import type { Workshop } from './turn/running.ts';
import { type LiveRequest, type StartedTurn, Turns } from './turn/turns.ts';

export interface KernelParts {
  store: Store;
  models: Models;
  tools: readonly Tool[];
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'llm' | 'tools' | 'requests'>;
  /** What no snapshot of a client's work may show. */
  secrets: readonly string[];
}

/** A kernel that has closed what a crash left open and goes on with what waited. */
export async function openKernel(parts: KernelParts): Promise<Kernel> {
  const kernel = new Kernel(parts);
  await kernel.recover();
  return kernel;
}

/** Every method throws a KernelError for what a client did wrong: not_found for any id that names nothing. */
export class Kernel {
  readonly #workshop: Workshop;
  readonly #chats: Chats;
  readonly #turns: Turns;
  /** What changes the course of one chat happens one after the other. */
  readonly #inTurn = new PerKey();

  constructor({ store, models, tools, clock, log, settings, secrets }: KernelParts) {
    const { llm, requests } = settings;
    this.#workshop = {
      store,
      models,
      toolbox: new Toolbox(tools, settings.tools.policy),
      histories: new Histories(store),
      clock,
      log,
      requests: new Requests(clock, secrets),
      settings: {
        reasoning: llm.reasoning,
        max_steps: llm.max_steps,
        system_prompt: llm.system_prompt,
        extra_tool_timeout_secs: requests.extra_tool_timeout_secs,
      },
    };
    this.#chats = new Chats(store, models, clock);
    this.#turns = new Turns(this.#workshop);
  }

  recover(): Promise<void> {
    return this.#turns.recover();
  }

  async createChat(body: CreateChat): Promise<Chat> {
    const chat = await this.#chats.create(body);
    this.#workshop.histories.begin(chat.id);
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

  /** @throws KernelError unknown_model */
  async patchChat(id: string, patch: ChatPatch): Promise<Chat> {
    return publicChat(await this.#chats.patch(id, patch), this.#turns.current(id));
  }

  /** With `force` a turn that runs is cancelled first. @throws KernelError turn_running */
  deleteChat(id: string, { force }: { force: boolean }): Promise<{ deleted: true; id: string }> {
    return this.#inTurn.run(id, async () => {
      if (force) await this.#turns.cancel(id, true);
      this.#checkIdle(id);
      if (!isId(id) || !(await this.#workshop.store.deleteChat(id))) throw noChat(id);
      this.#workshop.histories.forget(id);
      this.#turns.forget(id);
      return { deleted: true, id };
    });
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async messages(chatId: string, page: PageRequest): Promise<MessagePage> {
    await this.#chats.get(chatId);
    return messagePage(this.#workshop.store, chatId, page);
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async items(chatId: string, page: PageRequest): Promise<ItemPage> {
    await this.#chats.get(chatId);
    return itemPage(this.#workshop.store, chatId, page, this.#turns.running(chatId));
  }

  /** Deletes a message and all after it (MSG-3). @throws KernelError turn_running */
  rewind(chatId: string, messageId: string): Promise<RewindResult> {
    return this.#inTurn.run(chatId, async () => {
      await this.#chats.get(chatId);
      this.#checkIdle(chatId);
      await this.#turns.settle(chatId);
      return rewind(chatId, messageId, this.#workshop);
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
  async live(chatId: string, request: LiveRequest): Promise<Reader | null> {
    await this.#chats.get(chatId);
    return this.#turns.live(chatId, request);
  }

  /** Answers once the turn has ended. */
  async cancel(chatId: string, { queued }: { queued: boolean }): Promise<CancelResult> {
    await this.#chats.get(chatId);
    return this.#turns.cancel(chatId, queued);
  }

  /** A client answers what it was asked; the chat says which, where several have it. Errors as of `Requests.answer`. */
  answerRequest(chatId: string, answer: OpsResult): ResolvedRequest {
    return { ok: true, resolution: this.#workshop.requests.answer(chatId, answer) };
  }

  /** A client shows how far it is. Errors as of `Requests.answer`. */
  showProgress(chatId: string, progress: OpsProgress): { ok: true } {
    this.#workshop.requests.progress(chatId, progress);
    return { ok: true };
  }

  /** All that clients have not answered yet. */
  requests(): RequestList {
    return { requests: this.#workshop.requests.pending() };
  }

  async turn(chatId: string, turnId: string): Promise<Turn> {
    await this.#chats.get(chatId);
    return this.#turns.outcome(chatId, turnId);
  }

  /** The books of one chat (CHAT-7). */
  async spend(chatId: string): Promise<Spend> {
    const { prefix_tokens } = await this.#chats.get(chatId);
    const by_model = await this.#workshop.store.spend(chatId);
    const turns = by_model.reduce((sum, row) => sum + row.turns, 0);
    return { prefix_tokens, ...by_model.reduce(add, NOTHING_USED), turns, by_model };
  }

  async plan(chatId: string): Promise<Plan> {
    return { tasks: (await this.#chats.get(chatId)).plan };
  }

  /** Closes the plan; whoever watches a running turn is told (PLAN-1). */
  async erasePlan(chatId: string): Promise<Plan> {
    await this.#chats.get(chatId);
    await this.#workshop.store.updateChat(chatId, { plan: [] });
    this.#turns.showPlan(chatId, []);
    return { tasks: [] };
  }

  models(): ModelList {
    return this.#workshop.models.list();
  }

  async image(id: string): Promise<{ media_type: string; bytes: Uint8Array }> {
    const image = isId(id) ? await this.#workshop.store.image(id) : undefined;
    if (image === undefined) throw new KernelError('not_found', 'There is no such image.');
    return image;
  }

  /**
   * Keeps an upload; its name is made safe first. Nothing stays of one whose `bytes` throw.
   * @throws whatever `bytes` throw
   */
  saveFile(
    { name, media_type }: { name: string; media_type: string },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<FileRecord> {
    const { store, clock } = this.#workshop;
    const safe = safeFileName(name, media_type);
    return store.saveFile({ id: uuidv4(), name: safe, media_type, created_at: timestamp(clock) }, bytes);
  }

  async file(id: string): Promise<FileRecord> {
    const file = isId(id) ? await this.#workshop.store.file(id) : undefined;
    if (file === undefined) throw new KernelError('not_found', 'There is no such file.');
    return file;
  }

  /** Without a range all of them; `end` is the last byte of it. Whoever takes the stream ends it. */
  async fileBytes(file: FileRecord, range?: { start: number; end: number }): Promise<Readable> {
    const bytes = await this.#workshop.store.fileBytes(file, range);
    if (bytes === undefined) throw new KernelError('not_found', 'The bytes of this file are gone.');
    return bytes;
  }

  /** Resolves when requests can be served. */
  ready(): Promise<void> {
    return this.#workshop.store.ping();
  }

  /** No turn starts any more; running ones get this long, then they are closed as after a crash. */
  async shutdown(graceSecs: number): Promise<void> {
    this.#turns.refuse();
    await this.#inTurn.settled();
    await this.#turns.stop(graceSecs * 1000);
  }

  #checkIdle(chatId: string): void {
    if (this.#turns.current(chatId) !== null) {
      throw new KernelError('turn_running', 'A turn of this chat is running or waits: cancel it first.');
    }
  }
}
