/** Books on shelves: whole or not there at all, found by their words, read by their places. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { BookPart, BookRecord, NewBook } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function shelfSuite(stage: Stage): void {
  const save = (texts: readonly (string | BookPart)[], changes: Partial<NewBook> = {}) =>
    stage.store.books.save(newBook(changes), from(texts.map(asPage)));
  const find = async (query: string, shelf = 'main', limit = 50) =>
    (await stage.store.search.books(shelf, query, limit)).hits;
  const places = async (query: string) => (await find(query)).map(({ place }) => place.section);
  const listed = async () => (await stage.store.books.list({ limit: 50 })).map(({ id }) => id);

  test('[BT-2] A book is read back as it was given, with its counts, also after a restart', async () => {
    const given = newBook({ title: 'The\0 Sea "x"', author: 'Ann', shelf: 'ä/\0?' });
    const book = await stage.store.books.save(given, from(['Waves', 'and\0 more'].map(asPage)));
    const expected: BookRecord = { ...given, title: 'The Sea "x"', shelf: 'ä/?', count: 2, chars: 13 };
    expect(book).toEqual(expected);
    await stage.reopen();
    expect(await stage.store.books.get(book.id)).toEqual(expected);
    expect(await stage.store.books.findByBytes('ä/?', given.sha256)).toEqual(expected);
    expect(await stage.store.books.findByBytes('main', given.sha256)).toBeUndefined();
    expect(await stage.store.books.list({ limit: 9, shelf: 'ä/?' })).toEqual([expected]);
    expect(await stage.store.books.list({ limit: 9, shelf: 'main' })).toEqual([]);
    const parts = await stage.store.books.listParts(book.id, 2, 9);
    expect(parts).toEqual([{ ...asPage('and more', 1), n: 2 }]);
  });

  test('[BT-2] Books are listed the newest first, in pages', async () => {
    const ids = [];
    for (const text of ['a', 'b', 'c']) ids.unshift((await save([text])).id);
    expect(await listed()).toEqual(ids);
    const rest = await stage.store.books.list({ limit: 1, before: ids[0]!, shelf: 'main' });
    expect(rest.map(({ id }) => id)).toEqual([ids[1]]);
  });

  test('[BT-2] The same bytes are one book on a shelf, also of many at once, and another on another', async () => {
    const sha256 = '1'.repeat(64);
    const saved = await Promise.all(Array.from({ length: 6 }, () => save(['one', 'two'], { sha256 })));
    const elsewhere = await save(['one'], { sha256, shelf: 'other' });
    expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
    expect(await listed()).toEqual([elsewhere.id, saved[0]!.id]);
    expect(await find('one')).toHaveLength(1);
    await expect(stage.store.books.update(elsewhere.id, { shelf: 'main' })).rejects.toThrow();
  });

  test('[BT-2] A book is invisible before it is whole, and a book that breaks leaves nothing', async () => {
    const gate = Promise.withResolvers<void>();
    async function* broken(): AsyncGenerator<BookPart> {
      for (let page = 0; page < 100; page++) yield asPage('half', page);
      await gate.promise;
      throw new Error('The file broke.');
    }
    const book = newBook();
    const saving = stage.store.books.save(book, broken());
    saving.catch(() => {});
    for (let turn = 0; turn < 200; turn++) await nextTick();
    expect(await listed()).toEqual([]);
    expect(await stage.store.books.get(book.id)).toBeUndefined();
    expect(await find('half')).toEqual([]);
    expect(await stage.store.books.delete(book.id)).toBe(false);
    gate.resolve();
    await expect(saving).rejects.toThrow('The file broke.');
    expect(await stage.store.books.listParts(book.id, 1, 9)).toEqual([]);
    // The same bytes may be added again.
    await stage.store.books.save(book, from([asPage('half')]));
    expect(await find('half')).toHaveLength(1);
  });

  test('[BT-2] A book is gone with its parts and its words; other books stay', async () => {
    const kept = await save(['shared words']);
    const gone = await save(Array.from({ length: 90 }, (_, page) => `shared words of page ${page}`));
    expect(await stage.store.books.delete(gone.id)).toBe(true);
    // The parts of the book are being removed, and no search finds any of them.
    expect((await find('shared')).map(({ book_id }) => book_id)).toEqual([kept.id]);
    expect(await listed()).toEqual([kept.id]);
    expect(await stage.store.books.delete(gone.id)).toBe(false);
    await expect.poll(() => stage.store.books.listParts(gone.id, 1, 9)).toEqual([]);
    expect((await find('shared')).map(({ book_id }) => book_id)).toEqual([kept.id]);
    // The same bytes may be added again.
    await save(['shared again'], { sha256: gone.sha256 });
    expect(await find('shared')).toHaveLength(2);
  });

  test('[BT-2] The deletion of a large book does not wait for its parts; the next start removes what a close leaves', async () => {
    const { id } = await save(Array.from({ length: 400 }, (_, page) => `words of page ${page}`));
    expect(await stage.store.books.delete(id)).toBe(true);
    expect(await stage.store.books.listParts(id, 1, 1)).toHaveLength(1);
    await stage.reopen();
    expect(await listed()).toEqual([]);
    await expect.poll(() => stage.store.books.listParts(id, 1, 9)).toEqual([]);
  });

  test('[BT-2] Title and shelf change, and the search goes with the shelf', async () => {
    const book = await save(['waves']);
    const changed = await stage.store.books.update(book.id, { title: 'B', shelf: 'other' });
    expect(changed).toEqual({ ...book, title: 'B', shelf: 'other' });
    expect(await stage.store.books.update(book.id, {})).toEqual(changed);
    expect(await find('waves')).toEqual([]);
    expect(await find('waves', 'other')).toMatchObject([{ book_id: book.id, title: 'B' }]);
    expect(await stage.store.books.update(nextId(), { title: 'C' })).toBeUndefined();
  });

  test('[BT-2] Parts are found by all of the words, those first that say more of them, side by side most', async () => {
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
    expect(await stage.store.search.books('main', 'sea', 2)).toMatchObject({ hits: [{}, {}], more: true });
    expect(await stage.store.search.books('main', 'sea', 3)).toMatchObject({ more: false });
  });

  test('[BT-2] Odd words are words, and a query without words finds nothing', async () => {
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

  test('[BT-2] Parts are found by section, line and heading', async () => {
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
    const n = (wanted: Parameters<typeof stage.store.books.findPart>[1]) =>
      stage.store.books.findPart(id, wanted);
    expect(await n({ section: 2, piece: 2 })).toBe(3);
    expect(await n({ section: 2, piece: 3 })).toBeUndefined();
    expect(await n({ line: 20 })).toBe(2);
    expect(await n({ line: 51 })).toBeUndefined();
    expect(await n({ heading: 'the SEA' })).toBe(2);
    expect(await n({ heading: 'sea' })).toBe(4);
    expect(await n({ heading: '% _' })).toBe(5);
    expect(await n({ heading: '%' })).toBe(5);
    expect(await n({ heading: 'b' })).toBeUndefined();
    const contents = await stage.store.books.listHeadings(id, 3, 9);
    expect(contents.map(({ title }) => title)).toEqual(['Sea', '100% _x_']);
    expect((await stage.store.books.get(id))?.count).toBe(50);
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
