/** Tests books on shelves: complete or absent, found by their words, read by their ranges. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOW, nextId } from '../../../storage/test/records.ts';
import { Stage } from '../../../storage/test/stage.ts';
import type { BookPart, BookRecord, NewBook } from '../../src/books/records.ts';
import { BookStore } from '../../src/books/store.ts';

describe('Books', bookSuite);

function bookSuite(): void {
  const stage = new Stage();
  let books: BookStore;
  const openBooks = () => {
    const { transactions, searchIndex } = stage.store;
    books = new BookStore(transactions, searchIndex, stage.log);
  };
  const reopen = async () => {
    await books.stop();
    await stage.reopen();
    openBooks();
    await books.recover();
  };
  beforeEach(openBooks);
  afterEach(() => books.stop());
  const save = (texts: readonly (string | BookPart)[], changes: Partial<NewBook> = {}) =>
    books.save(newBook(changes), from(texts.map(asPage)));
  const find = async (query: string, shelf = 'main', limit = 50) =>
    (await books.search(shelf, query, limit)).hits;
  const places = async (query: string) => (await find(query)).map(({ place }) => place.section);
  const listed = async () => (await books.list({ limit: 50 })).map(({ id }) => id);

  test('[BT-2] reads a book back unchanged with its counts, also after a restart', async () => {
    const given = newBook({ title: 'The\0 Sea "x"', author: 'Ann', shelf: 'ä/\0?' });
    const book = await books.save(given, from(['Waves', 'and\0 more'].map(asPage)));
    const expected: BookRecord = { ...given, title: 'The Sea "x"', shelf: 'ä/?', count: 2, chars: 13 };
    expect(book).toEqual(expected);
    await reopen();
    expect(await books.get(book.id)).toEqual(expected);
    expect(await books.findByBytes('ä/?', given.sha256)).toEqual(expected);
    expect(await books.findByBytes('main', given.sha256)).toBeUndefined();
    expect(await books.list({ limit: 9, shelf: 'ä/?' })).toEqual([expected]);
    expect(await books.list({ limit: 9, shelf: 'main' })).toEqual([]);
    const parts = await books.listParts(book.id, 2, 9);
    expect(parts).toEqual([{ ...asPage('and more', 1), n: 2 }]);
  });

  test('[BT-2] lists books in pages, the newest first', async () => {
    const ids = [];
    for (const text of ['a', 'b', 'c']) ids.unshift((await save([text])).id);
    expect(await listed()).toEqual(ids);
    const rest = await books.list({ limit: 1, before: ids[0]!, shelf: 'main' });
    expect(rest.map(({ id }) => id)).toEqual([ids[1]]);
  });

  test('[BT-2] stores the same bytes once per shelf, also for simultaneous uploads', async () => {
    const sha256 = '1'.repeat(64);
    const saved = await Promise.all(Array.from({ length: 6 }, () => save(['one', 'two'], { sha256 })));
    const elsewhere = await save(['one'], { sha256, shelf: 'other' });
    expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
    expect(await listed()).toEqual([elsewhere.id, saved[0]!.id]);
    expect(await find('one')).toHaveLength(1);
    await expect(books.update(elsewhere.id, { shelf: 'main' })).rejects.toThrow();
  });

  test('[BT-2] hides a book until it is complete, and leaves no trace of a failed one', async () => {
    const gate = Promise.withResolvers<void>();
    async function* broken(): AsyncGenerator<BookPart> {
      for (let page = 0; page < 100; page++) yield asPage('half', page);
      await gate.promise;
      throw new Error('The file broke.');
    }
    const book = newBook();
    const saving = books.save(book, broken());
    saving.catch(() => {});
    for (let turn = 0; turn < 200; turn++) await nextTick();
    expect(await listed()).toEqual([]);
    expect(await books.get(book.id)).toBeUndefined();
    expect(await find('half')).toEqual([]);
    expect(await books.delete(book.id)).toBe(false);
    gate.resolve();
    await expect(saving).rejects.toThrow('The file broke.');
    expect(await books.listParts(book.id, 1, 9)).toEqual([]);
    // The same bytes may be added again.
    await books.save(book, from([asPage('half')]));
    expect(await find('half')).toHaveLength(1);
  });

  test('[BT-2] deletes a book with its parts and its search terms, and keeps other books', async () => {
    const kept = await save(['shared words']);
    const gone = await save(Array.from({ length: 90 }, (_, page) => `shared words of page ${page}`));
    expect(await books.delete(gone.id)).toBe(true);
    // The parts of the book are being removed, and no search finds any of them.
    expect((await find('shared')).map(({ book_id }) => book_id)).toEqual([kept.id]);
    expect(await listed()).toEqual([kept.id]);
    expect(await books.delete(gone.id)).toBe(false);
    await expect.poll(() => books.listParts(gone.id, 1, 9)).toEqual([]);
    expect((await find('shared')).map(({ book_id }) => book_id)).toEqual([kept.id]);
    // The same bytes may be added again.
    await save(['shared again'], { sha256: gone.sha256 });
    expect(await find('shared')).toHaveLength(2);
  });

  test('[BT-2] deletes a large book without waiting for its parts, and removes the rest at the next start', async () => {
    const { id } = await save(Array.from({ length: 400 }, (_, page) => `words of page ${page}`));
    expect(await books.delete(id)).toBe(true);
    expect(await books.listParts(id, 1, 1)).toHaveLength(1);
    await reopen();
    expect(await listed()).toEqual([]);
    await expect.poll(() => books.listParts(id, 1, 9)).toEqual([]);
  });

  test('[BT-2] changes title and shelf, and the search follows the shelf', async () => {
    const book = await save(['waves']);
    const changed = await books.update(book.id, { title: 'B', shelf: 'other' });
    expect(changed).toEqual({ ...book, title: 'B', shelf: 'other' });
    expect(await books.update(book.id, {})).toEqual(changed);
    expect(await find('waves')).toEqual([]);
    expect(await find('waves', 'other')).toMatchObject([{ book_id: book.id, title: 'B' }]);
    expect(await books.update(nextId(), { title: 'C' })).toBeUndefined();
  });

  test('[BT-2] finds parts that contain all terms, those with more or adjacent matches first', async () => {
    await save([
      'The sea is far. Another word is: storm.',
      'Nothing here.',
      'Storm, sea, storm, sea and a sea storm',
      'sea, and much behind it a storm; the sea again',
    ]);
    expect(await places('sea storm')).toEqual([3, 4, 1]);
    expect(await places('STÖRM')).toEqual([3, 1, 4]);
    expect(await places('stor sea')).toEqual([]);
    expect(await places('')).toEqual([]);
    expect((await find('far'))[0]).toMatchObject({
      unit: 'page',
      snippet: expect.stringContaining('**far**'),
    });
    expect(await books.search('main', 'sea', 2)).toMatchObject({ hits: [{}, {}], more: true });
    expect(await books.search('main', 'sea', 3)).toMatchObject({ more: false });
  });

  test('[BT-2] finds unusual terms, and returns no match for a query without terms', async () => {
    await save([
      'He said "don\'t": 東京 is far, straße, ½, 😀, AND OR NOT NEAR, a\\b & c:*',
      'x'.repeat(9000),
    ]);
    for (const query of [
      '"don\'t"',
      '京',
      'STRASSE',
      '½',
      'AND OR NOT NEAR',
      'a\\b',
      'c:*',
      'x',
      'x'.repeat(10_000),
    ]) {
      expect(await find(query), query.slice(0, 20)).toHaveLength(1);
    }
    for (const query of [
      '😀',
      '"',
      "'",
      '*',
      '\\',
      '\0',
      '\ud800',
      ' ',
      '%',
      '-far -straße x',
      'y '.repeat(5000),
    ]) {
      expect(await find(query), query.slice(0, 20)).toEqual([]);
    }
  });

  test('[BT-2] finds parts by section, line and heading', async () => {
    const at = (section: number, title: string | null, piece: number, pieces: number, line: number) => ({
      ...asPage('text', section - 1),
      ...{ title, piece, pieces, line, last_line: line + 9 },
    });
    const parts = [
      at(1, null, 1, 1, 1),
      at(2, 'II. The Sea', 1, 2, 11),
      at(2, 'II. The Sea', 2, 2, 21),
      at(3, 'Sea', 1, 1, 31),
      at(4, '100% _x_', 1, 1, 41),
    ];
    const { id } = await save(parts, { unit: 'line' });
    const n = (wanted: Parameters<typeof books.findPart>[1]) => books.findPart(id, wanted);
    expect(await n({ section: 2, piece: 2 })).toBe(3);
    expect(await n({ section: 2, piece: 3 })).toBeUndefined();
    expect(await n({ line: 20 })).toBe(2);
    expect(await n({ line: 51 })).toBeUndefined();
    expect(await n({ heading: 'the SEA' })).toBe(2);
    expect(await n({ heading: 'sea' })).toBe(4);
    expect(await n({ heading: '% _' })).toBe(5);
    expect(await n({ heading: '%' })).toBe(5);
    expect(await n({ heading: 'b' })).toBeUndefined();
    const contents = await books.listHeadings(id, 3, 9);
    expect(contents.map(({ title }) => title)).toEqual(['Sea', '100% _x_']);
    expect((await books.get(id))?.count).toBe(50);
  });
}

const newBook = (changes: Partial<NewBook> = {}): NewBook => {
  const id = nextId();
  return {
    id,
    shelf: 'main',
    title: 'A book',
    author: null,
    format: 'pdf',
    file_name: 'book.pdf',
    size: 100,
    sha256: id,
    unit: 'page',
    created_at: NOW,
    ...changes,
  };
};

const asPage = (text: string | BookPart, index = 0): BookPart =>
  typeof text === 'string'
    ? { section: index + 1, title: null, piece: 1, pieces: 1, line: null, last_line: null, text }
    : text;

async function* from<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}
