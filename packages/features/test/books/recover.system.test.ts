/** Tests the cleanup of books after a crash when several kernels share a Postgres. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { systemClock } from '@chat-kernel/kernel';
import { openStore, type SqlStore } from '@chat-kernel/storage';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../storage/test/postgres.ts';
import { NOW, nextId } from '../../../storage/test/records.ts';
import { books } from '../../src/books/feature.ts';
import type { BookPart, NewBook } from '../../src/books/records.ts';
import { BookStore } from '../../src/books/store.ts';
import type { FeatureServices } from '../../src/feature.ts';

const postgres = await startPostgres().catch((error: unknown): undefined => {
  if (process.env.REQUIRE_ALL) throw error;
  process.stderr.write(`The tests of several kernels are skipped: ${error}\n`);
});
afterAll(() => postgres?.stop());

const log = { debug() {}, info() {}, warn() {}, error() {} };

test.skipIf(!postgres)(
  '[BT-2] removes an incomplete book at the start, unless another kernel may be writing it',
  async () => {
    const url = await (postgres as Postgres).createDatabase();
    const writing = await open(url, 'writing');
    const id = await writeHalf(writing);
    const second = await load(await open(url, 'second'));
    // Removals run in order: after this one, all removals of the start are done.
    const whole = await second.save(newBook(), halves());
    await second.delete(whole.id);
    await expect.poll(() => partsOf(writing, whole.id)).toBe(0);
    expect(await partsOf(writing, id)).toBe(1);
    await writing.fleet?.leave();
    await load(await open(url, 'second'));
    await expect.poll(() => partsOf(writing, id)).toBe(0);
  },
);

async function open(url: string, name: string): Promise<SqlStore> {
  const data_dir = await mkdtemp(join(tmpdir(), 'chat-kernel-books-'));
  const kernel = { url: `http://${name}.test`, name, version: '1' };
  const store = await openStore({ data_dir, url, kernel, log, clock: systemClock });
  onTestFinished(async () => {
    await store.close();
    await rm(data_dir, { recursive: true });
  });
  return store;
}

/** Opens the feature as the start of a kernel does. */
async function load(store: SqlStore): Promise<BookStore> {
  const stores = books.stores!(store, log) as { books: BookStore };
  const services = { store, events: { publish() {} }, clock: systemClock, log } as unknown as FeatureServices;
  const feature = books.open(services, stores, { paths: new MachinePaths([]), skillFolders: [] });
  await feature.load?.();
  onTestFinished(() => feature.stop?.());
  return stores.books;
}

/** Begins a book whose file does not end. Returns its id once a part is stored. */
async function writeHalf(store: SqlStore): Promise<string> {
  const book = newBook();
  const gate = Promise.withResolvers<void>();
  async function* parts() {
    yield* halves();
    await gate.promise;
    throw new Error('The file broke.');
  }
  const saving = new BookStore(store.transactions, store.searchIndex, log).save(book, parts());
  saving.catch(() => {});
  onTestFinished(() => gate.resolve());
  await expect.poll(() => partsOf(store, book.id)).toBe(1);
  return book.id;
}

function newBook(): NewBook {
  const id = nextId();
  const facts = { title: 'A', author: null, format: 'text', file_name: 'a.txt', size: 1 } as const;
  return { ...facts, id, shelf: 'main', sha256: id, unit: 'line', created_at: NOW };
}

/** As many parts as a transaction writes. */
async function* halves(): AsyncGenerator<BookPart> {
  const place = { section: 1, title: null, pieces: 40, line: null, last_line: null };
  for (let piece = 1; piece <= 40; piece++) yield { ...place, piece, text: 'half' };
}

/** Whether the book has parts: their number, at most 1. */
const partsOf = async ({ transactions, searchIndex }: SqlStore, id: string): Promise<number> =>
  (await new BookStore(transactions, searchIndex, log).listParts(id, 1, 1)).length;
