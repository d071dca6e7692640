/** Books on shelves, where two come to the same place in the same moment. */
import { v7 as uuidv7 } from 'uuid';
import { expect, it, onTestFinished } from 'vitest';
import { openCore } from './core.ts';

it('[BT-2] a book that moves to a shelf where an upload of the same bytes has just arrived is refused', async () => {
  const core = await openCore();
  onTestFinished(() => core.close());
  const { kernel, store } = core;
  const put = (shelf: string) => {
    const facts = { title: 'A', author: null, format: 'text', file_name: 'a.txt', size: 1, sha256: 'same' };
    const created_at = new Date(core.clock.now()).toISOString();
    const book = { ...facts, id: uuidv7(), shelf, unit: 'line', created_at } as const;
    return store.books.save({ ...book, format: 'text' }, nothing());
  };
  const { id } = await put('here');
  const find = store.books.findByBytes;
  store.books.findByBytes = async (...asked) => {
    store.books.findByBytes = find;
    const found = await find(...asked);
    await put('there');
    return found;
  };
  await expect(kernel.books.patch(id, { shelf: 'there' })).rejects.toMatchObject({ code: 'invalid_value' });
  expect(await kernel.books.get(id)).toMatchObject({ shelf: 'here' });
});

async function* nothing(): AsyncGenerator<never> {}
