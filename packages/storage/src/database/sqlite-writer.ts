/**
 * Writes to a SQLite database in this thread. Transactions that wait for each other share one commit, for it is the
 * commit that takes time, not its content.
 */
import { BEGIN, COMMIT, ROLLBACK, type SqliteExecutor } from './sqlite-executor.ts';
import type { Answer, Statement } from './sqlite-statements.ts';
import type { Writer } from './writer.ts';

/** Transactions that share a commit at most, so that the first of them is not kept waiting for ever. */
const MOST_SHARED = 50;

// What a transaction wrote that shares a commit with those before it can be taken back without them.
const SAVEPOINT = 'savepoint shared';
const RELEASE = 'release shared';
const TAKE_BACK = 'rollback to shared';

type Sharing = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

export class SqliteWriter implements Writer {
  readonly #executor: SqliteExecutor;
  #busy = false;
  #closed = false;
  readonly #waiting: (() => void)[] = [];
  /** The transactions that have ended and are not committed; where there is one, the database has its transaction open. */
  #sharing: Sharing[] = [];

  constructor(executor: SqliteExecutor) {
    this.#executor = executor;
  }

  async begin(): Promise<boolean> {
    await this.#turn();
    try {
      if (!this.#closed) this.#order(this.#sharing.length > 0 ? SAVEPOINT : BEGIN);
    } catch (error) {
      this.#giveUp(error);
      this.#pass();
      throw error;
    }
    if (this.#closed) this.#pass();
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
      if (this.#waiting.length === 0 || this.#sharing.length === MOST_SHARED) this.#commitAll();
    } catch (error) {
      this.#giveUp(error);
      reject(error);
    }
    this.#pass();
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
      if (this.#waiting.length === 0 && this.#sharing.length > 0) this.#commitAll();
    } finally {
      this.#pass();
    }
  }

  async alone(statement: Statement): Promise<Answer | false> {
    await this.#turn();
    try {
      if (this.#closed) return false;
      if (this.#sharing.length > 0) this.#commitAll();
      return this.#executor.runAlone(statement);
    } finally {
      this.#pass();
    }
  }

  async close(): Promise<void> {
    await this.#turn();
    try {
      if (this.#sharing.length > 0) this.#commitAll();
      this.#closed = true;
      this.#executor.close();
    } finally {
      this.#pass();
    }
  }

  /** Nothing of what shares a commit can be stored, such as on a full disk. */
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

  /** Resolves when nobody else's turn is. */
  #turn(): Promise<void> | undefined {
    if (this.#busy) return new Promise(resolve => this.#waiting.push(resolve));
    this.#busy = true;
    return undefined;
  }

  #pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy = false;
  }
}
