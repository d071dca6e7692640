/**
 * Detects dead kernels: by their advisory locks and last heartbeat, and by asking them. A kernel without locks may only
 * have lost its connections to the database.
 */
import type { IsAlive, KernelRecord } from '@chat-kernel/kernel';
import { type RawBuilder, sql } from 'kysely';
import { HELD, hinted } from '../database/postgres-lock.ts';
import type { Db } from '../tables/schema.ts';

/**
 * A kernel without any connection for this time is asked whether it is alive. This requires that its connections were
 * seen in the session of this kernel's own lock: the server has been running all the time, so the process may have
 * ended.
 */
const GONE_MS = 200;
/**
 * A kernel whose lock is free for this time is asked, even if it has other connections: a broken connection is back
 * sooner, also if the server restarts and all kernels return together.
 */
const FREE_MS = 1500;
/** A kernel without locks that answered is asked again after this time: it may die before it is connected again. */
const ASK_AGAIN_MS = 300;
/** A kernel without a heartbeat for this time is dead, whatever its locks: its machine may have vanished. */
const SILENT_MS = 8000;

/** Milliseconds by the clock of the database, the only one that all kernels share. */
export const DATABASE_TIME: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

interface Seen extends Pick<KernelRecord, 'id' | 'url'> {
  seen_at: number;
  silent: boolean;
  /** True if its lock is held. */
  own: boolean;
  /** True if connections of its pool exist. */
  pool: boolean;
}

/** A kernel that was seen alive. */
interface Known {
  /** True if connections of its pool were seen; earlier versions do not show them. */
  pooled: boolean;
  /** Since when its lock is free, and since when it has no connection at all, by the clock of this process. */
  freeSince?: number;
  goneSince?: number;
  /** Its answer to the last check. */
  answer?: Answer;
}

interface Answer {
  askedAt: number;
  /** Undefined until the answer is known. */
  isAlive: boolean | undefined;
}

export class Deaths {
  readonly #own: string;
  #known: ReadonlyMap<string, Known> = new Map();
  /** The session in which the kernels were seen. */
  #session = 0;

  /** @param own id of this kernel, which is never considered dead */
  constructor(own: string) {
    this.#own = own;
  }

  /** True if another kernel was registered when the kernels were last checked. */
  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /**
   * Removes dead kernels. Returns the ids of those removed since the last call, by any kernel. Does not wait for the
   * kernels that are asked: a later call uses their answers.
   * @param session session of this kernel's own lock; observations from another session do not show whether the server
   * kept running since
   */
  async bury(db: Db, session: number, isAlive: IsAlive): Promise<string[]> {
    const { rows } = await sql<Seen>`
      select id, url, seen_at, seen_at < ${DATABASE_TIME} - ${SILENT_MS} as silent,
        coalesce(own, false) as own, coalesce(pool, false) as pool
      from kernels left join ${HELD} on held.boot = kernels.boot where id <> ${this.#own}`.execute(db);
    const before = this.#known;
    const isSame = session === this.#session;
    const known = new Map(rows.map(row => [row.id, knownNow(row, isSame ? before.get(row.id) : undefined)]));
    for (const { id, url, seen_at, silent } of rows) {
      if (!silent && !isDead(known.get(id) as Known, () => isAlive({ id, url }))) continue;
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
  return {
    pooled,
    freeSince,
    ...(pooled && !pool && { goneSince: before?.goneSince ?? now }),
    ...(before?.answer && { answer: before.answer }),
  };
}

/** True if a kernel without locks has not answered. Asks it if needed. */
function isDead(kernel: Known, ask: () => Promise<boolean>): boolean {
  const { freeSince, goneSince, answer } = kernel;
  const now = performance.now();
  const isPast = (since: number | undefined, ms: number) => since !== undefined && now - since >= ms;
  if (!isPast(goneSince, GONE_MS) && !isPast(freeSince, FREE_MS)) return false;
  if (answer === undefined || (answer.isAlive && isPast(answer.askedAt, ASK_AGAIN_MS))) {
    const asked: Answer = { askedAt: now, isAlive: undefined };
    kernel.answer = asked;
    void ask().then(isAlive => {
      asked.isAlive = isAlive;
    });
  }
  return kernel.answer?.isAlive === false;
}

/** Removes a kernel and notifies all others immediately. Returns false if a newer heartbeat shows that it is alive. */
async function strikeOut(db: Db, id: string, seen_at: number): Promise<boolean> {
  const { rows } = await sql`
    with struck as (delete from kernels where id = ${id} and seen_at = ${seen_at} returning id)
    select ${hinted('kernels')} from struck`.execute(db);
  return rows.length > 0;
}
