/** Implements the history of a chat for the API: reads pages, rewinds, compacts. */
import type {
  ChatVersions,
  CompactResult,
  ItemPage,
  MessagePage,
  RewindFiles,
  RewoundFiles,
  RewoundMessages,
} from '@chat-kernel/protocol';
import { foldNow } from '../chats/compact.ts';
import { messageToCut, rewind } from '../chats/rewind.ts';
import { activateVersion, listVersions } from '../chats/versions.ts';
import { itemPage, messagePage, type PageRequest } from '../history/pages.ts';
import type { HeldChat, StoredMessage } from '../ports/index.ts';
import { ApiBase, type ApiParts } from './api-base.ts';
import { undoFiles } from './undo-files.ts';

export class HistoryApi extends ApiBase {
  readonly #closing: AbortSignal;

  /** @param closing aborted when the kernel stops: a compaction in progress then ends without effect */
  constructor(parts: ApiParts, closing: AbortSignal) {
    super(parts);
    this.#closing = closing;
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async messages(chatId: string, page: PageRequest): Promise<MessagePage> {
    await this.chats.get(chatId);
    return messagePage(this.services.store, chatId, page, this.turns.unstored(chatId));
  }

  /** @throws KernelError malformed_cursor, unknown_cursor */
  async items(chatId: string, page: PageRequest): Promise<ItemPage> {
    await this.chats.get(chatId);
    const unstored = this.turns.unstored(chatId);
    const running = await this.turns.shown.running(chatId);
    return itemPage(this.services.store, chatId, page, running, unstored);
  }

  /**
   * Deletes a message and all after it (MSG-3). A waiting message is dropped with its turn and later ones, even while a
   * turn is running (WAIT-4).
   * @throws KernelError not_found, turn_running
   */
  rewind(chatId: string, messageId: string): Promise<RewoundMessages> {
    return this.changes.run(chatId, async () => {
      await this.chats.get(chatId);
      const dropped = await this.turns.dropFrom(chatId, messageId);
      if (dropped.length > 0) return { deleted: dropped.length, first_deleted: messageId, not_undone: [] };
      const held = this.services.ownership.hold(chatId);
      await messageToCut(chatId, messageId, this.services);
      await this.changes.settleHistory(chatId);
      return this.#rewind(held, await messageToCut(chatId, messageId, this.services), false);
    });
  }

  /**
   * Rewinds and keeps the messages as a version (EDIT-7). With `files`, previews the effect on files, or restores them
   * first (UNDO-2).
   * @param gone aborted when the caller has disconnected
   * @throws KernelError not_found, turn_running, files_changed, files_stuck
   */
  rewindToVersion(
    chatId: string,
    messageId: string,
    { files: mode, client_id }: RewindFiles,
    gone?: AbortSignal,
  ): Promise<RewoundFiles> {
    return this.changes.run(chatId, async () => {
      const chat = await this.chats.get(chatId);
      const held = this.services.ownership.hold(chatId);
      const message = await messageToCut(chatId, messageId, this.services);
      // A waiting turn has had no effects.
      if (message.position === null) {
        if (mode === 'preview') return { files: [], not_undone: [] };
        const dropped = await this.turns.dropFrom(chatId, messageId);
        if (dropped.length > 0) {
          return { files: [], not_undone: [], deleted: dropped.length, first_deleted: messageId };
        }
      }
      await this.changes.settleHistory(chatId);
      const from = await messageToCut(chatId, messageId, this.services);
      const undone = mode && (await undoFiles(mode, { chat, from, client_id, gone }, this.services));
      if (undone && mode === 'preview') return undone;
      const { not_undone, ...rewound } = await this.#rewind(held, from, true);
      return { files: [], not_undone, ...undone, ...rewound, version_id: from.id };
    });
  }

  /** Rewinds, and drops the events of turns that have left, also if only the answer of the store was lost. */
  async #rewind(held: HeldChat, message: StoredMessage, keeps: boolean): Promise<RewoundMessages> {
    const { chat_id } = held;
    try {
      return await rewind(await this.chats.get(chat_id), held, message, keeps, this.services);
    } finally {
      this.turns.rewound(chat_id);
    }
  }

  /** The places of the chat at which versions exist (EDIT-2). */
  async versions(chatId: string): Promise<ChatVersions> {
    await this.chats.get(chatId);
    return listVersions(chatId, this.services.store);
  }

  /** Makes a version the present of the chat, and returns all of them. @throws KernelError not_found, turn_running */
  activate(chatId: string, versionId: string): Promise<ChatVersions> {
    return this.changes.run(chatId, async () => {
      await this.chats.get(chatId);
      await this.changes.settleHistory(chatId);
      await activateVersion(await this.chats.get(chatId), versionId, this.services).finally(() =>
        this.turns.rewound(chatId),
      );
      return listVersions(chatId, this.services.store);
    });
  }

  /** Compacts the older part of the history now. @throws KernelError turn_running, upstream_error */
  compact(chatId: string): Promise<CompactResult> {
    return this.changes.run(chatId, async () => {
      const chat = await this.chats.get(chatId);
      await this.changes.settleHistory(chatId);
      return foldNow(chat, this.services, this.#closing);
    });
  }
}
