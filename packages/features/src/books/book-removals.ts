/** Removes the remains of incomplete books in steps, so that other work can run between them. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Log } from '@chat-kernel/kernel';
import type { Db, Write } from '@chat-kernel/storage';

/** Parts deleted per transaction. */
const STEP = 40;

/**
 * Removes one book after another in the background. The next start removes what is left after a shutdown or a failure.
 */
export class BookRemovals {
  readonly #write: Write;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(write: Write, log: Log) {
    this.#write = write;
    this.#log = log;
  }

  /** @param id of an incomplete book */
  add(id: string): void {
    this.#last = this.#last
      .then(() => removeBook(this.#write, id, this.#closing.signal))
      .catch(error => {
        this.#log.warn({ book_id: id, error }, 'Removing the remains of a deleted book failed.');
      });
  }

  stop(): Promise<void> {
    this.#closing.abort();
    return this.#last;
  }
}

/** Lists the incomplete books. Only valid at the start: a book that is incomplete then will never be completed. */
export async function leftBooks(db: Db): Promise<string[]> {
  const left = await db.selectFrom('books').select('id').where('whole', '=', 0).execute();
  return left.map(({ id }) => id);
}

/** Removes an incomplete book. Once the signal is aborted, the next start removes the rest. */
export async function removeBook(write: Write, id: string, signal?: AbortSignal): Promise<void> {
  do {
    if (signal?.aborted) return;
    await nextTick();
  } while (await write(db => removeStep(db, id)));
}

/** Removes some of its parts, and the book after the last ones. False if nothing is left to remove. */
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
