/** Books on shelves: a shelf is a name, and a chat has the books of the shelf that it names (BT-2, CHAT-6). */
import {
  type Book,
  type BookDeleted,
  type BookList,
  KernelError,
  type PatchBook,
} from '@chat-kernel/protocol';
import { checkCursor, isId, newId } from '../base/ids.ts';
import { PerKey } from '../base/keyed-queue.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import {
  type BookFacts,
  type BookFilter,
  type BookPart,
  type BookRecord,
  type Clock,
  type Shelf,
  type Store,
  timestamp,
} from '../ports/index.ts';
import { shelfOf } from './shelf.ts';

export class Books {
  readonly #store: Pick<Store, 'books' | 'search'>;
  readonly #events: KernelEvents;
  readonly #clock: Clock;
  readonly #inTurn = new PerKey();

  constructor(store: Pick<Store, 'books' | 'search'>, events: KernelEvents, clock: Clock) {
    this.#store = store;
    this.#events = events;
    this.#clock = clock;
  }

  shelf(name: string): Shelf {
    return shelfOf(name, (facts, parts) => this.#add(name, facts, parts), this.#store);
  }

  /** The books of a shelf or of all, the newest first. @throws KernelError malformed_cursor, unknown_cursor */
  async list(filter: BookFilter): Promise<BookList> {
    const { before } = filter;
    if (before !== undefined) {
      checkCursor(before, 'a book id');
      if ((await this.#store.books.get(before)) === undefined) {
        throw new KernelError('unknown_cursor', `before: there is no book ${before}.`);
      }
    }
    const books = await this.#store.books.list(filter);
    return { books: books.map(publicBook), next_before: books.at(-1)?.id ?? null };
  }

  /** @throws KernelError not_found */
  async get(id: string): Promise<Book> {
    return publicBook(await this.#book(id));
  }

  /** @throws KernelError not_found, invalid_value (the other shelf has the book) */
  async patch(id: string, { title, shelf }: PatchBook): Promise<Book> {
    const { sha256 } = await this.#book(id);
    return this.#inTurn.run(sha256, async () => {
      const book = await this.#book(id);
      if (shelf !== undefined) await this.#checkFree(shelf, book);
      const changes = {
        ...(title !== undefined && { title: title.trim() }),
        ...(shelf !== undefined && { shelf }),
      };
      const changed = await this.#store.books.update(id, changes).catch(async error => {
        // An upload may have put the same book on that shelf in the meantime.
        if (shelf !== undefined) await this.#checkFree(shelf, book);
        throw error;
      });
      if (changed === undefined) throw noBook(id);
      this.#events.booksChanged(changed.shelf);
      if (changed.shelf !== book.shelf) this.#events.booksChanged(book.shelf);
      return publicBook(changed);
    });
  }

  /** @throws KernelError not_found */
  async delete(id: string): Promise<BookDeleted> {
    const { shelf } = await this.#book(id);
    if (!(await this.#store.books.delete(id))) throw noBook(id);
    this.#events.booksChanged(shelf);
    return { deleted: true, id };
  }

  async #add(shelf: string, facts: BookFacts, parts: AsyncIterable<BookPart>): Promise<BookRecord> {
    const id = newId();
    const book = await this.#store.books.save(
      { ...facts, id, shelf, created_at: timestamp(this.#clock) },
      parts,
    );
    if (book.id === id) this.#events.booksChanged(shelf);
    return book;
  }

  async #checkFree(shelf: string, { id, sha256 }: BookRecord): Promise<void> {
    const there = await this.#store.books.findByBytes(shelf, sha256);
    if (there === undefined || there.id === id) return;
    const detail = `This shelf has the book already: ${there.id}.`;
    throw new KernelError('invalid_value', detail, { errors: [{ pointer: '/shelf', detail }] });
  }

  async #book(id: string): Promise<BookRecord> {
    const book = isId(id) ? await this.#store.books.get(id) : undefined;
    if (book === undefined) throw noBook(id);
    return book;
  }
}

const noBook = (id: string): KernelError => new KernelError('not_found', `There is no book ${id}.`);

const publicBook = ({ sha256: _, ...book }: BookRecord): Book => book;
