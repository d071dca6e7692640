/**
 * A single process owns a Postgres database: an advisory lock, held by a session of its own, which ends when the
 * process does. If the session breaks, nothing may be written until the lock is held again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@chat-kernel/kernel';
import type { Client } from 'pg';
import { StoreError } from './store-error.ts';

/** "chat" and "kern" in ASCII. */
const LOCK = [0x63686174, 0x6b65726e];
const RETRY_MS = 250;
/** The server may need a moment to notice that a killed kernel is gone. */
const ATTEMPTS = 8;

export class PostgresLock {
  readonly #connect: () => Client;
  readonly #name: string;
  readonly #log: Log;
  /** Undefined while the lock is not held. */
  #session: Client | undefined;
  #released = false;

  /** `name` stands in sentences. Throws where the server can't be reached or another kernel has the lock. */
  static async take(connect: () => Client, name: string, log: Log): Promise<PostgresLock> {
    const lock = new PostgresLock(connect, name, log);
    for (let attempt = 1; ; attempt++) {
      if (await lock.#tryTake()) return lock;
      if (attempt === ATTEMPTS) throw new StoreError(`${name} is in use: another kernel uses it.`);
      await sleep(RETRY_MS);
    }
  }

  private constructor(connect: () => Client, name: string, log: Log) {
    this.#connect = connect;
    this.#name = name;
    this.#log = log;
  }

  /** Throws while the lock is not held. */
  check(): void {
    if (!this.#session)
      throw new StoreError(`${this.#name} can't be used: the connection that holds its lock broke.`);
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#session?.end();
    this.#session = undefined;
  }

  async #tryTake(): Promise<boolean> {
    const session = this.#connect();
    // `end` follows and is acted on; an error event without a listener would end the process.
    session.on('error', error => this.#log.debug({ error }, 'The connection with the lock had an error.'));
    try {
      await session.connect();
      // A kernel whose machine vanished gives the lock back after 40 s instead of two hours.
      await session.query('set tcp_keepalives_idle = 20');
      await session.query('set tcp_keepalives_interval = 5');
      await session.query('set tcp_keepalives_count = 4');
      const { rows } = await session.query('select pg_try_advisory_lock($1, $2) as held', LOCK);
      if (!rows[0].held) {
        await session.end();
        return false;
      }
    } catch (cause) {
      await session.end();
      throw new StoreError(`${this.#name} can't be opened: ${reason(cause)}.`, { cause });
    }
    session.on('end', () => void this.#takeAgain());
    this.#session = session;
    return true;
  }

  async #takeAgain(): Promise<void> {
    this.#session = undefined;
    if (this.#released) return;
    this.#log.error(
      {},
      'The connection that holds the lock of the database broke; nothing is written until it is back.',
    );
    while (!this.#released) {
      await sleep(RETRY_MS, undefined, { ref: false });
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

/** Whether a kernel uses the database of this connection now. */
export async function isTaken(client: Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as free', LOCK);
  if (rows[0].free) await client.query('select pg_advisory_unlock($1, $2)', LOCK);
  return !rows[0].free;
}

/** The code stands in where there is no message: Node's error for a name with several addresses has none. */
function reason(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
