/** The history of a chat as the API offers it: read in pages, cut, folded. */
import type {
  CompactResult,
  ItemPage,
  MessagePage,
  RewindFiles,
  RewoundFiles,
  RewoundMessages,
} from '@chat-kernel/protocol';
import type { Chats } from '../chats/chats.ts';
import { foldNow } from '../chats/compact.ts';
import { effectsOf, messageToCut, rewind } from '../chats/rewind.ts';
import { itemPage, messagePage, type PageRequest } from '../history/pages.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Turns } from '../turns/turns.ts';
import { previewFiles, restoreFiles } from '../undo/file-undo.ts';
import { removedBy } from '../undo/removed.ts';
import type { ChatChanges } from './chat-changes.ts';

export class HistoryApi {
  readonly #chats: Chats;
  readonly #turns: Turns;
  readonly #changes: ChatChanges;
  readonly #services: TurnServices;
  readonly #closing: AbortSignal;

  /** @param closing aborted when the kernel stops: a fold under way ends without a trace */
  constructor(
    chats: Chats,
    turns: Turns,
    changes: ChatChanges,
    services: TurnServices,
    closing: AbortSignal,
  ) {
    this.#chats = chats;
    this.#turns = turns;
    this.#changes = changes;
    this.#services = services;
    this.#closing = closing;
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async messages(chatId: string, page: PageRequest): Promise<MessagePage> {
    await this.#chats.get(chatId);
    return messagePage(this.#services.store, chatId, page, this.#turns.unstored(chatId));
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async items(chatId: string, page: PageRequest): Promise<ItemPage> {
    await this.#chats.get(chatId);
    const unstored = this.#turns.unstored(chatId);
    const running = await this.#turns.shown.running(chatId);
    return itemPage(this.#services.store, chatId, page, running, unstored);
  }

  /**
   * Deletes a message and all after it (MSG-3). One that waits is dropped with its turn and those behind it, also
   * while a turn runs (WAIT-4).
   * @throws KernelError not_found, turn_running
   */
  rewind(chatId: string, messageId: string): Promise<RewoundMessages> {
    return this.#changes.run(chatId, async () => {
      const chat = await this.#chats.get(chatId);
      const dropped = await this.#turns.dropFrom(chatId, messageId);
      if (dropped.length > 0) return { deleted: dropped.length, first_deleted: messageId, not_undone: [] };
      const message = await messageToCut(chatId, messageId, this.#services);
      await this.#changes.settleHistory(chatId);
      const rewound = await rewind(chat, message, this.#services);
      this.#turns.rewound(chatId);
      return rewound;
    });
  }

  /**
   * Says what a rewind would do to files, or puts them back and rewinds (UNDO-2).
   * @param gone aborted when the caller has hung up
   * @throws KernelError not_found, turn_running, files_changed, files_stuck
   */
  rewindFiles(
    chatId: string,
    messageId: string,
    { files: mode, client_id }: RewindFiles,
    gone?: AbortSignal,
  ): Promise<RewoundFiles> {
    return this.#changes.run(chatId, async () => {
      const chat = await this.#chats.get(chatId);
      const message = await messageToCut(chatId, messageId, this.#services);
      // A turn that waits has done nothing.
      if (message.position === null) {
        if (mode === 'preview') return { files: [], not_undone: [] };
        const dropped = await this.#turns.dropFrom(chatId, messageId);
        if (dropped.length > 0) {
          return { files: [], not_undone: [], deleted: dropped.length, first_deleted: messageId };
        }
      }
      await this.#changes.settleHistory(chatId);
      const from = await messageToCut(chatId, messageId, this.#services);
      const { messages, edits } = await removedBy(from, this.#services);
      const asked = { chat, edits, client_id, gone };
      const { files, calls } = await (mode === 'preview' ? previewFiles : restoreFiles)(
        asked,
        this.#services,
      );
      const not_undone = effectsOf(messages, this.#services.toolbox, calls);
      if (mode === 'preview') return { files, not_undone };
      const { deleted, first_deleted } = await rewind(chat, from, this.#services);
      this.#turns.rewound(chatId);
      return { files, not_undone, deleted, first_deleted };
    });
  }

  /** Folds the older part of the history now. @throws KernelError turn_running, upstream_error */
  compact(chatId: string): Promise<CompactResult> {
    return this.#changes.run(chatId, async () => {
      const chat = await this.#chats.get(chatId);
      await this.#changes.settleHistory(chatId);
      return foldNow(chat, this.#services, this.#closing);
    });
  }
}
