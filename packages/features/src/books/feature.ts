/** Defines books on shelves: files that chats of the same shelf search and read (BT-2, CHAT-6). */
import { defineFeature } from '../feature.ts';
import { Books } from './books.ts';
import { booksRead } from './read-tool.ts';
import { routes } from './routes.ts';
import { booksSearch } from './search-tool.ts';
import { BookStore } from './store.ts';
import { booksUpload } from './upload-tool.ts';

export const books = defineFeature({
  name: 'books',
  stores: ({ transactions, searchIndex }, log) => ({
    books: new BookStore(transactions, searchIndex, log),
  }),
  open: ({ store: { fleet }, events, clock }, { books }) => ({
    service: new Books(books, events, clock),
    async load() {
      const others = (await fleet?.list())?.filter(({ id }) => id !== fleet?.id) ?? [];
      // Skip recovery in a fleet: a book that another kernel is writing looks like crash leftovers.
      if (others.length === 0) await books.recover();
    },
    stop: () => books.stop(),
  }),
  tools: (service, { paths }) => [booksRead(service), booksSearch(service), booksUpload(service, paths)],
  groups: [
    { name: 'books', about: 'adds files to a shelf as books (PDF, EPUB, text), searches and reads them' },
  ],
  routes,
  documentedAfter: 'reportTriage',
});
