/** Tests a book that moves to a shelf at the moment at which the same bytes are uploaded there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newId, systemClock, timestamp } from '@chat-kernel/kernel';
import { openStore } from '@chat-kernel/storage';
import { expect, it, onTestFinished } from 'vitest';
import { inMemory } from '../../../../test/harness/in-memory.ts';
import { Books } from '../../src/books/books.ts';
import { BookStore } from '../../src/books/store.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

it('[BT-2] rejects moving a book to a shelf that has just received the same bytes', async () => {
  const data_dir = mkdtempSync(join(inMemory(), 'books-'));
  const store = await openStore({ data_dir, url: null, log, clock: systemClock });
  onTestFinished(async () => {
    await store.close();
    rmSync(data_dir, { recursive: true });
  });
  const books = new BookStore(store.transactions, store.searchIndex, log);
  const service = new Books(books, { publish() {} }, systemClock);
  const put = (shelf: string) => {
    const facts = { title: 'A', author: null, format: 'text', file_name: 'a.txt', size: 1 } as const;
    const created_at = timestamp(systemClock);
    return books.save({ ...facts, id: newId(), sha256: 'same', shelf, unit: 'line', created_at }, nothing());
  };
  const { id } = await put('here');
  const find = books.findByBytes.bind(books);
  books.findByBytes = async (...asked) => {
    books.findByBytes = find;
    const found = await find(...asked);
    await put('there');
    return found;
  };
  await expect(service.patch(id, { shelf: 'there' })).rejects.toMatchObject({ code: 'invalid_value' });
  expect(await service.get(id)).toMatchObject({ shelf: 'here' });
});

async function* nothing(): AsyncGenerator<never> {}
