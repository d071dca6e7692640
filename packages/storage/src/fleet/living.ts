/** Who among the kernels of a database is dead: by the locks that each holds while it lives, and by its last word. */
import { type RawBuilder, sql } from 'kysely';
import { HELD, hinted } from '../database/postgres-lock.ts';
import type { Db } from '../tables/schema.ts';

/**
 * A kernel of which no connection at all is left for so long is dead, where it was seen to have them in the session of
 * whoever looks: the server has gone on all the while, so it is the process that ended.
 */
const GONE_MS = 200;
/**
 * A lock that is free for so long is that of a dead kernel, whatever else is there of it: a connection that broke is back
 * sooner, also where the server restarts and all kernels come back at once.
 */
const FREE_MS = 1500;
/** A kernel that has said nothing for so long is dead, whatever its locks: its machine may have vanished. */
const SILENT_MS = 8000;

/** Milliseconds by the clock of the database, the only one that all kernels share. */
export const DATABASE_TIME: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

interface Seen {
  id: string;
  seen_at: number;
  silent: boolean;
  /** Its lock is held. */
  own: boolean;
  /** Connections of its pool are there. */
  pool: boolean;
}

/** One that was seen to live. */
interface Known {
  /** It had connections of its pool, which versions before this one do not show. */
  pooled: boolean;
  /** Since when its lock is free, and since when nothing is left of it, by the clock of this process. */
  freeSince?: number;
  goneSince?: number;
}

export class Deaths {
  readonly #own: string;
  #known: ReadonlyMap<string, Known> = new Map();
  /** The session in which they were seen. */
  #session = 0;

  /** @param own the id of this kernel, which never finds itself dead */
  constructor(own: string) {
    this.#own = own;
  }

  /**
   * Strikes out the kernels that are dead. Returns the ids of those that have gone since the last call, whoever did it.
   * @param session of this kernel's own lock: of what was seen in another one, nothing says how the server has fared since
   */
  async bury(db: Db, session: number): Promise<string[]> {
    const { rows } = await sql<Seen>`
      select id, seen_at, seen_at < ${DATABASE_TIME} - ${SILENT_MS} as silent,
        coalesce(own, false) as own, coalesce(pool, false) as pool
      from kernels left join ${HELD} on held.boot = kernels.boot where id <> ${this.#own}`.execute(db);
    const before = this.#known;
    const isSame = session === this.#session;
    const known = new Map(rows.map(row => [row.id, knownNow(row, isSame ? before.get(row.id) : undefined)]));
    for (const { id, seen_at, silent } of rows) {
      if (!silent && !isOver(known.get(id) as Known)) continue;
      if (await strikeOut(db, id, seen_at)) known.delete(id);
    }
    this.#known = known;
    this.#session = session;
    const all = new Set([...before.keys(), ...rows.map(({ id }) => id)]);
    return [...all].filter(id => !known.has(id));
  }
}

function knownNow({ own, pool }: Seen, before: Known | undefined): Known {
  const pooled = pool || before?.pooled === true;
  if (own) return { pooled };
  const now = performance.now();
  const freeSince = before?.freeSince ?? now;
  return { pooled, freeSince, ...(pooled && !pool && { goneSince: before?.goneSince ?? now }) };
}

function isOver({ freeSince, goneSince }: Known): boolean {
  const now = performance.now();
  const isPast = (since: number | undefined, ms: number) => since !== undefined && now - since >= ms;
  return isPast(goneSince, GONE_MS) || isPast(freeSince, FREE_MS);
}

/** Tells all others at once. False where it has said something since then, so that it lives. */
async function strikeOut(db: Db, id: string, seen_at: number): Promise<boolean> {
  const { rows } = await sql`
    with struck as (delete from kernels where id = ${id} and seen_at = ${seen_at} returning id)
    select ${hinted('kernels')} from struck`.execute(db);
  return rows.length > 0;
}
