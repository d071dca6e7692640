/**
 * Locks a Postgres database for one process, or for several that share it. The advisory lock is held by a separate
 * session, which ends with the process. If the session breaks, writes are refused until the lock is held again.
 */
import { pause, RetryBackoff } from '@chat-kernel/base';
import { type Log, systemClock } from '@chat-kernel/kernel';
import { type RawBuilder, sql } from 'kysely';
import type { Client } from 'pg';
import type { Hint } from './database.ts';
import { StoreError } from './store-error.ts';
import { storageUnavailable } from './unavailable.ts';

const ASK_MS = 2000;
/** Consecutive checks with the first query still open; a process that was itself suspended has seen only one. */
const LOOKS = 5;

/**
 * Sends a query at intervals, and calls back once if there has been no response for 10 s. The returned function stops
 * it.
 * @param ask query; it rejects if the connection breaks, which is handled elsewhere
 */
function watchSilence(ask: () => Promise<unknown>, silent: () => void): () => void {
  let open = 0;
  const answered = () => {
    open = 0;
  };
  const timer = setInterval(() => {
    open++;
    if (open === 1) ask().then(answered, () => {});
    if (open <= LOOKS) return;
    clearInterval(timer);
    silent();
  }, ASK_MS).unref();
  return () => clearInterval(timer);
}

/** "chat" and "kern" in ASCII. */
const LOCK = [0x63686174, 0x6b65726e];
/** Held while a kernel that shares the database creates its tables. */
const START_LOCK = [0x63686174, 0x73746172];
/** "kern"; combined with the number of a living kernel that shares the database. */
const KERNEL_LOCK = 0x6b65726e;
/** The notification channel for hints to all kernels that share the database. */
const HINT = 'chat_kernel';
/** "kero"; combined with the number of a kernel by each connection of its pool. */
const POOL_LOCK = 0x6b65726f;
const RETRY_MS = 250;
/** If only the connection broke, it is back before the kernel is considered dead. */
const PAUSES = { firstMs: 20, maxMs: RETRY_MS };
/** The server may need a moment to notice that a killed kernel has disconnected. */
const ATTEMPTS = 8;

/** The connections to the server. */
interface Connections {
  connect(): Client;
  /** Breaks all existing connections, including those of other components. */
  breakAll(): void;
}

export class PostgresLock {
  readonly #connections: Connections;
  readonly #name: string;
  readonly #log: Log;
  /** The number that shows the others that this kernel is alive; undefined: it does not share the database. */
  readonly #boot: number | undefined;
  readonly #hinted = new Map<() => void, Hint>();
  /** Undefined while the lock is not held. */
  #session: Client | undefined;
  /** Changes whenever the session with the lock breaks. If the server restarts, this happens to all kernels. */
  sessions = 0;
  #released = false;
  /** True while this kernel waits for exclusive work of another process. */
  #waiting = false;

  /**
   * Acquires the lock. `name` is part of error messages. Throws if the server cannot be reached, or if a kernel that
   * does not share the database holds the lock.
   * @param boot see `#boot`
   */
  static async take(connections: Connections, name: string, log: Log, boot?: number): Promise<PostgresLock> {
    const lock = new PostgresLock(connections, name, log, boot);
    for (let attempt = 1; ; attempt++) {
      if (await lock.#tryTake()) return lock;
      if (attempt === ATTEMPTS) throw new StoreError(`${name} is in use: another kernel uses it. ${SHARING}`);
      await pause(RETRY_MS);
    }
  }

  private constructor(connections: Connections, name: string, log: Log, boot: number | undefined) {
    this.#connections = connections;
    this.#name = name;
    this.#log = log;
    this.#boot = boot;
  }

  /** Calls back at each such hint, and whenever hints may have been lost. */
  onHint(what: Hint, callback: () => void): void {
    this.#hinted.set(callback, what);
  }

  /** @throws KernelError storage_unavailable while the lock is not held */
  check(): void {
    if (!this.#session) throw storageUnavailable('the connection that holds its lock broke');
  }

  /** Runs work while no other process that shares the database runs such work. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting = true;
    try {
      await this.#session?.query('select pg_advisory_lock($1, $2)', START_LOCK);
    } finally {
      this.#waiting = false;
    }
    try {
      return await work();
    } finally {
      await this.#session?.query('select pg_advisory_unlock($1, $2)', START_LOCK);
    }
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#session?.end();
    this.#session = undefined;
  }

  async #tryTake(): Promise<boolean> {
    const session = this.#connections.connect();
    // The `end` event follows and is handled; an error event without a listener would end the process.
    session.on('error', error => this.#log.debug({ error }, 'The connection with the lock had an error.'));
    try {
      await session.connect();
      // If the kernel's machine vanishes, the lock is released after 40 s instead of two hours.
      await session.query('set tcp_keepalives_idle = 20');
      await session.query('set tcp_keepalives_interval = 5');
      await session.query('set tcp_keepalives_count = 4');
      if (!(await this.#hold(session))) {
        await session.end();
        return false;
      }
    } catch (cause) {
      await session.end();
      throw new StoreError(`${this.#name} can't be opened: ${reason(cause)}.`, { cause });
    }
    const stopWatch = watchSilence(
      // While this session waits for exclusive work, it gets no response.
      async () => this.#waiting || (await session.query('select 1')),
      () => {
        this.#log.error({}, 'The database has not answered for 10 s; its connections are broken off.');
        this.#connections.breakAll();
      },
    );
    session.on('end', () => {
      stopWatch();
      void this.#takeAgain();
    });
    session.on('notification', ({ payload }) => this.#hint(payload));
    this.#session = session;
    this.sessions++;
    this.#hint();
    return true;
  }

  async #hold(session: Client): Promise<boolean> {
    const shared = this.#boot === undefined ? '' : '_shared';
    const { rows } = await session.query(`select pg_try_advisory_lock${shared}($1, $2) as held`, LOCK);
    if (!rows[0].held || this.#boot === undefined) return rows[0].held;
    const own = await session.query('select pg_try_advisory_lock($1, $2) as held', [KERNEL_LOCK, this.#boot]);
    await session.query(`listen ${HINT}`);
    return own.rows[0].held;
  }

  /** @param what kind of change; absent: any kind */
  #hint(what?: string): void {
    for (const [callback, wanted] of this.#hinted) if (what === undefined || what === wanted) callback();
  }

  async #takeAgain(): Promise<void> {
    this.#session = undefined;
    if (this.#released) return;
    this.#log.error(
      {},
      'The connection that holds the lock of the database broke; nothing is written until it is back.',
    );
    for (const backoff = new RetryBackoff(PAUSES); !this.#released; ) {
      await pause(backoff.nextMs(), { clock: systemClock });
      try {
        if (await this.#tryTake()) break;
        this.#log.error({}, 'Another kernel has taken the database.');
      } catch (error) {
        this.#log.warn({ error }, 'The lock of the database could not be taken again.');
      }
    }
    if (this.#released) await this.release();
    else this.#log.info({}, 'The lock of the database is held again.');
  }
}

const SHARING = 'Kernels that are to share it all need server.advertise_url.';

/**
 * A table `held` of the numbers (`boot`) that have any lock: `own` is true if the kernel holds its own lock, and `pool`
 * if connections of its pool exist.
 */
export const HELD: RawBuilder<unknown> = sql`(
  select objid::bigint as boot, bool_or(classid = ${KERNEL_LOCK}) as own, bool_or(classid = ${POOL_LOCK}) as pool
  from pg_locks where locktype = 'advisory' and granted and classid in (${KERNEL_LOCK}, ${POOL_LOCK})
    and database = (select oid from pg_database where datname = current_database())
  group by objid
) as held`;

/** Returns the first statement of each connection of a kernel's pool. This lock is never contended. */
export const heldByPool = (boot: number): string => `select pg_advisory_lock_shared(${POOL_LOCK}, ${boot})`;

/** Returns an expression that notifies all who share this database of a possible change, once it is committed. */
export const hinted = (what: Hint): RawBuilder<unknown> => sql`pg_notify(${HINT}, ${what})`;

/** True if a kernel uses the database of this connection now. */
export async function isTaken(client: Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as free', LOCK);
  if (rows[0].free) await client.query('select pg_advisory_unlock($1, $2)', LOCK);
  return !rows[0].free;
}

/** Uses the code if there is no message: Node's error for a name with several addresses has none. */
function reason(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
