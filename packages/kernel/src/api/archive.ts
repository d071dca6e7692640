/** Searches all chats, and exports one (HIST-1). */
import type { SearchResults } from '@chat-kernel/protocol';
import { type ExportFormat, exported } from '../archive/export.ts';
import { safeFileName } from '../base/file-name.ts';
import { ApiBase } from './api-base.ts';

interface Export {
  /** A name for the file that is safe on any system. */
  name: string;
  /** The text in pieces. Throws if the history is cut while it is read. */
  text: AsyncIterable<string>;
}

export class Archive extends ApiBase {
  /** Searches the messages of all chats, newest first; results contain every word. */
  async search(words: string, limit: number): Promise<SearchResults> {
    return { results: await this.services.store.search.messages(words, limit) };
  }

  /**
   * Exports a chat.
   * @param address the prefix of links to images and files, such as `http://127.0.0.1:8787`
   * @throws KernelError not_found
   */
  async export(chatId: string, format: ExportFormat, address: string): Promise<Export> {
    const chat = await this.chats.get(chatId);
    const runningTurn = this.turns.queues.running(chatId);
    // A slash in a title would create a folder.
    const name = safeFileName(`${(chat.title ?? 'chat').replaceAll(/[/\\]/g, '-')}.${format}`, '');
    return { name, text: exported(chat, format, this.services.store, { runningTurn, address }) };
  }
}
