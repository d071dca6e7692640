/** Who among the kernels of a database is dead: by the lock that each holds while it lives, and by its last word. */
import { type RawBuilder, sql } from 'kysely';
import { livingBoots } from '../database/postgres-lock.ts';
import type { Db } from '../tables/schema.ts';

/** A lock that is free for so long is that of a dead kernel: a connection that broke is back sooner. */
const FREE_MS = 750;
/** A kernel that has said nothing for so long is dead, whatever its lock: its machine may have vanished. */
const SILENT_MS = 10_000;

/** Milliseconds by the clock of the database, the only one that all kernels share. */
export const DATABASE_TIME: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export class Deaths {
  readonly #own: string;
  /** When the lock of a kernel was first seen to be free, by the clock of this process. */
  readonly #freeSince = new Map<string, number>();
  #known = new Set<string>();

  /** @param own the id of this kernel, which never finds itself dead */
  constructor(own: string) {
    this.#own = own;
  }

  /** Strikes out the kernels that are dead. Returns the ids of those that have gone since the last call, whoever did it. */
  async bury(db: Db): Promise<string[]> {
    const { rows } = await sql<{ id: string; boot: number; seen_at: number; silent: boolean }>`
      select id, boot, seen_at, seen_at < ${DATABASE_TIME} - ${SILENT_MS} as silent from kernels
      where id <> ${this.#own}`.execute(db);
    const boots = rows.length === 0 ? new Set() : await livingBoots(db);
    const now = performance.now();
    const here = new Set(rows.map(({ id }) => id));
    const known = new Set([...this.#known, ...here]);
    for (const { id, boot, seen_at, silent } of rows) {
      if (!silent && !this.#isFree(id, boots.has(boot), now)) continue;
      // One that has said something since then lives.
      const { numDeletedRows } = await db
        .deleteFrom('kernels')
        .where('id', '=', id)
        .where('seen_at', '=', seen_at)
        .executeTakeFirst();
      if (numDeletedRows > 0n) here.delete(id);
      else this.#freeSince.delete(id);
    }
    this.#known = here;
    for (const id of this.#freeSince.keys()) if (!here.has(id)) this.#freeSince.delete(id);
    return [...known].filter(id => !here.has(id));
  }

  /** Whether the lock of a kernel has been free for long enough. */
  #isFree(id: string, held: boolean, now: number): boolean {
    if (held) {
      this.#freeSince.delete(id);
      return false;
    }
    const since = this.#freeSince.get(id) ?? now;
    this.#freeSince.set(id, since);
    return now - since >= FREE_MS;
  }
}
