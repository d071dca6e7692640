/** Searches all chats, and exports one (HIST-1). */
import type { SearchResults } from '@chat-kernel/protocol';
import { safeFileName } from '../base/file-name.ts';
import type { Chats } from '../chats/chats.ts';
import type { Store } from '../ports/index.ts';
import { type ExportFormat, exported } from './export.ts';

interface Export {
  /** A name for the file that is safe on any system. */
  name: string;
  /** The text in pieces. Throws if the history is cut while it is read. */
  text: AsyncIterable<string>;
}

export class Archive {
  readonly #store: Pick<Store, 'images' | 'messages' | 'search' | 'spend' | 'versions'>;
  readonly #chats: Chats;
  readonly #runningTurn: (chatId: string) => string | null;

  /** @param runningTurn returns the id of the running turn of a chat */
  constructor(
    store: Pick<Store, 'images' | 'messages' | 'search' | 'spend' | 'versions'>,
    chats: Chats,
    runningTurn: (chatId: string) => string | null,
  ) {
    this.#store = store;
    this.#chats = chats;
    this.#runningTurn = runningTurn;
  }

  /** Searches the messages of all chats, newest first; results contain every word. */
  async search(words: string, limit: number): Promise<SearchResults> {
    return { results: await this.#store.search.messages(words, limit) };
  }

  /**
   * Exports a chat.
   * @param address the prefix of links to images and files, such as `http://127.0.0.1:8787`
   * @throws KernelError not_found
   */
  async export(chatId: string, format: ExportFormat, address: string): Promise<Export> {
    const chat = await this.#chats.get(chatId);
    const runningTurn = this.#runningTurn(chatId);
    // A slash in a title would create a folder.
    const name = safeFileName(`${(chat.title ?? 'chat').replaceAll(/[/\\]/g, '-')}.${format}`, '');
    return { name, text: exported(chat, format, this.#store, { runningTurn, address }) };
  }
}
