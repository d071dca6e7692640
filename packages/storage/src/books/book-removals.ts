/** Removes what is left of invisible books: in steps, so that other work has its turn between them. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Log } from '@chat-kernel/kernel';
import type { Write } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';

/** Parts that are deleted in a transaction. */
const STEP = 40;

/** Removes book after book in the background: the next start removes what a close or a failure leaves. */
export class BookRemovals {
  readonly #write: Write;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(write: Write, log: Log) {
    this.#write = write;
    this.#log = log;
  }

  /** @param id of a book that is not whole */
  add(id: string): void {
    this.#last = this.#last
      .then(() => removeBook(this.#write, id, this.#closing.signal))
      .catch(error => {
        this.#log.warn({ book_id: id, error }, 'What is left of a deleted book could not be removed.');
      });
  }

  close(): Promise<void> {
    this.#closing.abort();
    return this.#last;
  }
}

/** For the start alone: a book that is not whole then will never be. */
export async function leftBooks(db: Db): Promise<string[]> {
  const left = await db.selectFrom('books').select('id').where('whole', '=', 0).execute();
  return left.map(({ id }) => id);
}

/** Removes a book that is not whole; once the signal is aborted, the rest is left to the next start. */
export async function removeBook(write: Write, id: string, signal?: AbortSignal): Promise<void> {
  do {
    if (signal?.aborted) return;
    await nextTick();
  } while (await write(db => removeStep(db, id)));
}

/** Removes some of its parts, and after the last ones the book. False where nothing is left to remove. */
async function removeStep(db: Db, id: string): Promise<boolean> {
  const parts = await db
    .selectFrom('book_parts')
    .select('n')
    .where('book_id', '=', id)
    .orderBy('n')
    .limit(STEP)
    .execute();
  const last = parts.at(-1);
  if (last === undefined) await db.deleteFrom('books').where('id', '=', id).execute();
  else await db.deleteFrom('book_parts').where('book_id', '=', id).where('n', '<=', last.n).execute();
  return last !== undefined;
}
