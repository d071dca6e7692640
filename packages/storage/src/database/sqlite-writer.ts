/**
 * Writes to a SQLite database in this thread. Waiting transactions share one commit, because the commit takes the time,
 * not its content.
 */
import { Semaphore } from '@chat-kernel/base';
import type { Answer, Statement } from './sqlite-statements.ts';
import { BEGIN, COMMIT, ROLLBACK, type SqliteExecutor } from './sqlite-statements.ts';

export interface Writer {
  /**
   * Resolves when it is this transaction's turn; `commit` or `rollback` must follow. False if the writer was closed in
   * the meantime and another one has replaced it.
   */
  begin(): Promise<boolean>;
  /** Runs a statement of the active transaction. @throws the errors of node:sqlite */
  run(statement: Statement): Promise<Answer>;
  /** Commits the active transaction. Resolves once it is on the disk. */
  commit(): Promise<void>;
  /** Rolls back the active transaction. */
  rollback(): Promise<void>;
  /** Runs a statement while no transaction is open. False as in `begin`. */
  alone(statement: Statement): Promise<Answer | false>;
  /** Ends after all earlier requests. */
  close(): Promise<void>;
}

/** Maximum number of transactions that share a commit, so that the first of them does not wait forever. */
const MAX_BATCH_SIZE = 50;

// Allows one of the transactions that share a commit to be rolled back without the earlier ones.
const SAVEPOINT = 'savepoint shared';
const RELEASE = 'release shared';
const TAKE_BACK = 'rollback to shared';

type Sharing = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

export class SqliteWriter implements Writer {
  readonly #executor: SqliteExecutor;
  #closed = false;
  /** Held by the transaction that is active. */
  readonly #turn = new Semaphore(1);
  /** Transactions that have ended but are not committed. If there are any, the database has an open transaction. */
  #sharing: Sharing[] = [];

  constructor(executor: SqliteExecutor) {
    this.#executor = executor;
  }

  async begin(): Promise<boolean> {
    await this.#turn.acquire();
    try {
      if (!this.#closed) this.#order(this.#sharing.length > 0 ? SAVEPOINT : BEGIN);
    } catch (error) {
      this.#giveUp(error);
      this.#turn.release();
      throw error;
    }
    if (this.#closed) this.#turn.release();
    return !this.#closed;
  }

  async run(statement: Statement): Promise<Answer> {
    return this.#executor.run(statement);
  }

  commit(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    try {
      if (this.#sharing.length > 0) this.#order(RELEASE);
      this.#sharing.push({ resolve, reject });
      if (this.#turn.waiting === 0 || this.#sharing.length === MAX_BATCH_SIZE) this.#commitAll();
    } catch (error) {
      this.#giveUp(error);
      reject(error);
    }
    this.#turn.release();
    return promise;
  }

  async rollback(): Promise<void> {
    try {
      if (this.#sharing.length === 0) {
        this.#order(ROLLBACK);
        return;
      }
      try {
        this.#order(TAKE_BACK);
        this.#order(RELEASE);
      } catch (error) {
        this.#giveUp(error);
      }
      if (this.#turn.waiting === 0 && this.#sharing.length > 0) this.#commitAll();
    } finally {
      this.#turn.release();
    }
  }

  async alone(statement: Statement): Promise<Answer | false> {
    await this.#turn.acquire();
    try {
      if (this.#closed) return false;
      if (this.#sharing.length > 0) this.#commitAll();
      return this.#executor.runAlone(statement);
    } finally {
      this.#turn.release();
    }
  }

  async close(): Promise<void> {
    await this.#turn.acquire();
    try {
      if (this.#sharing.length > 0) this.#commitAll();
      this.#closed = true;
      this.#executor.close();
    } finally {
      this.#turn.release();
    }
  }

  /** Rejects all transactions that share a commit, for example because the disk is full. */
  #giveUp(error: unknown): void {
    for (const { reject } of this.#sharing.splice(0)) reject(error);
    this.#order(ROLLBACK);
  }

  #commitAll(): void {
    const shared = this.#sharing.splice(0);
    try {
      this.#order(COMMIT);
    } catch (error) {
      for (const { reject } of shared) reject(error);
      return;
    }
    for (const { resolve } of shared) resolve();
  }

  #order(sql: string): void {
    this.#executor.run({ sql, parameters: [] });
  }
}
