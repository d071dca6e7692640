/** Manages books on shelves: a shelf is a name, and a chat has the books of the shelf that it names (BT-2, CHAT-6). */
import {
  type Clock,
  checkCursor,
  type FeatureHost,
  isId,
  KeyedQueue,
  newId,
  timestamp,
} from '@chat-kernel/kernel';
import type { Book, BookDeleted, BookList, PatchBook } from '@chat-kernel/protocol';
import { KernelError } from '@chat-kernel/protocol';
import type { BookFilter, BookPart, BookRecord } from './records.ts';
import { type BookFacts, createShelf, type Shelf } from './shelf.ts';
import type { BookStore } from './store.ts';

export class Books {
  readonly #store: BookStore;
  readonly #events: Pick<FeatureHost['events'], 'publish'>;
  readonly #clock: Clock;
  readonly #inTurn = new KeyedQueue();

  constructor(store: BookStore, events: Pick<FeatureHost['events'], 'publish'>, clock: Clock) {
    this.#store = store;
    this.#events = events;
    this.#clock = clock;
  }

  shelf(name: string): Shelf {
    return createShelf(name, (facts, parts) => this.#add(name, facts, parts), this.#store);
  }

  /**
   * Returns the books of one shelf or of all, the newest first. @throws KernelError malformed_cursor, unknown_cursor
   */
  async list(filter: BookFilter): Promise<BookList> {
    const { before } = filter;
    if (before !== undefined) {
      checkCursor(before, 'a book id');
      if ((await this.#store.get(before)) === undefined) {
        throw new KernelError('unknown_cursor', `before: there is no book ${before}.`);
      }
    }
    const books = await this.#store.list(filter);
    return { books: books.map(publicBook), next_before: books.at(-1)?.id ?? null };
  }

  /** @throws KernelError not_found */
  async get(id: string): Promise<Book> {
    return publicBook(await this.#book(id));
  }

  /** @throws KernelError not_found, invalid_value if the other shelf already has the book */
  async patch(id: string, { title, shelf }: PatchBook): Promise<Book> {
    const { sha256 } = await this.#book(id);
    return this.#inTurn.run(sha256, async () => {
      const book = await this.#book(id);
      if (shelf !== undefined) await this.#checkFree(shelf, book);
      const changes = {
        ...(title !== undefined && { title: title.trim() }),
        ...(shelf !== undefined && { shelf }),
      };
      const changed = await this.#store.update(id, changes).catch(async error => {
        // Until then, an upload may have put the same book on that shelf.
        if (shelf !== undefined) await this.#checkFree(shelf, book);
        throw error;
      });
      if (changed === undefined) throw noBook(id);
      this.#changed(changed.shelf);
      if (changed.shelf !== book.shelf) this.#changed(book.shelf);
      return publicBook(changed);
    });
  }

  /** @throws KernelError not_found */
  async delete(id: string): Promise<BookDeleted> {
    const { shelf } = await this.#book(id);
    if (!(await this.#store.delete(id))) throw noBook(id);
    this.#changed(shelf);
    return { deleted: true, id };
  }

  async #add(shelf: string, facts: BookFacts, parts: AsyncIterable<BookPart>): Promise<BookRecord> {
    const id = newId();
    const book = await this.#store.save({ ...facts, id, shelf, created_at: timestamp(this.#clock) }, parts);
    if (book.id === id) this.#changed(shelf);
    return book;
  }

  #changed(shelf: string): void {
    this.#events.publish({ type: 'books_changed', shelf });
  }

  async #checkFree(shelf: string, { id, sha256 }: BookRecord): Promise<void> {
    const there = await this.#store.findByBytes(shelf, sha256);
    if (there === undefined || there.id === id) return;
    const detail = `The shelf already has this book: ${there.id}.`;
    throw new KernelError('invalid_value', detail, { errors: [{ pointer: '/shelf', detail }] });
  }

  async #book(id: string): Promise<BookRecord> {
    const book = isId(id) ? await this.#store.get(id) : undefined;
    if (book === undefined) throw noBook(id);
    return book;
  }
}

const noBook = (id: string): KernelError => new KernelError('not_found', `There is no book ${id}.`);

const publicBook = ({ sha256: _, ...book }: BookRecord): Book => book;
