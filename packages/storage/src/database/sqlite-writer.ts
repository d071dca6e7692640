/**
 * All writing to a SQLite database: one transaction at a time. Those that wait for each other share one commit, for it
 * is the commit that takes time, not its content.
 */
import { BEGIN, COMMIT, type Failure, type Order, type Outcome, ROLLBACK } from './sqlite-executor.ts';
import type { Place } from './sqlite-place.ts';
import type { Answer, Statement } from './sqlite-statements.ts';

/** Transactions that share a commit at most, so that the first of them is not kept waiting for ever. */
const MOST_SHARED = 50;

// What a transaction wrote that shares a commit with those before it can be taken back without them.
const SAVEPOINT = 'savepoint shared';
const RELEASE = 'release shared';
const TAKE_BACK = 'rollback to shared';

type Settling = PromiseWithResolvers<Answer>;
type Sharing = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

export class SqliteWriter {
  #place: Place;
  /** The orders of this moment, which go to their place together. */
  #orders: Order[] = [];
  #settling: Settling[] = [];
  #busy = false;
  readonly #waiting: (() => void)[] = [];
  /** The transactions that have ended and are not committed; where there is one, the database has its transaction open. */
  #sharing: Sharing[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  /** Resolves when it is this transaction's turn. `commit` or `rollback` must follow. */
  async begin(): Promise<void> {
    await this.#turn();
    // Its failure is also that of the statements that follow, which are waited for.
    this.#order(this.#sharing.length > 0 ? SAVEPOINT : BEGIN).catch(() => {});
  }

  /** Runs a statement of the transaction whose turn it is. */
  run({ sql, parameters }: Statement): Promise<Answer> {
    return this.#send({ sql, parameters });
  }

  /** Ends the transaction whose turn it is. Resolves once it is on the disk. */
  commit(): Promise<void> {
    if (this.#sharing.length > 0) this.#order(RELEASE).catch(() => {});
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#sharing.push({ resolve, reject });
    if (this.#waiting.length === 0 || this.#sharing.length === MOST_SHARED) this.#commitAll();
    this.#pass();
    return promise;
  }

  /** Takes back what the transaction wrote whose turn it is. */
  async rollback(): Promise<void> {
    try {
      if (this.#sharing.length === 0) {
        await this.#order(ROLLBACK);
        return;
      }
      try {
        await this.#order(TAKE_BACK);
        await this.#order(RELEASE);
      } catch (error) {
        // The database has given up all that was not committed, such as on a full disk.
        for (const { reject } of this.#sharing.splice(0)) reject(error);
        await this.#order(ROLLBACK);
      }
      if (this.#waiting.length === 0 && this.#sharing.length > 0) this.#commitAll();
    } finally {
      this.#pass();
    }
  }

  /** Runs work that sends orders of its own, while no transaction is open. */
  async alone<Result>(
    work: (run: (statement: Statement) => Promise<Answer>) => Promise<Result>,
  ): Promise<Result> {
    await this.#turn();
    try {
      if (this.#sharing.length > 0) this.#commitAll();
      return await work(({ sql, parameters }) => this.#send({ sql, parameters, alone: true }));
    } finally {
      this.#pass();
    }
  }

  /** Goes on in another place; the one before is closed. */
  move(place: Place): Promise<void> {
    return this.alone(async run => {
      // Whatever was sent before has been answered when this is.
      await run({ sql: 'select 1', parameters: [] });
      const before = this.#place;
      this.#place = place;
      await before.close();
    });
  }

  /** Goes on in another place after the present one has failed: what was open there is lost. */
  replace(place: Place): void {
    this.#place = place;
  }

  close(): Promise<void> {
    return this.alone(() => this.#place.close());
  }

  #commitAll(): void {
    const shared = this.#sharing.splice(0);
    this.#order(COMMIT).then(
      () => {
        for (const { resolve } of shared) resolve();
      },
      error => {
        for (const { reject } of shared) reject(error);
      },
    );
  }

  #order(sql: string): Promise<Answer> {
    return this.#send({ sql, parameters: [] });
  }

  #send(order: Order): Promise<Answer> {
    if (this.#orders.length === 0) queueMicrotask(() => this.#flush());
    const settling = Promise.withResolvers<Answer>();
    this.#orders.push(order);
    this.#settling.push(settling);
    return settling.promise;
  }

  #flush(): void {
    const settling = this.#settling;
    const orders = this.#orders;
    this.#settling = [];
    this.#orders = [];
    this.#place.run(orders).then(
      outcomes => {
        for (const [at, outcome] of outcomes.entries()) settle(settling[at] as Settling, outcome);
      },
      error => {
        for (const { reject } of settling) reject(error);
      },
    );
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

function settle({ resolve, reject }: Settling, outcome: Outcome): void {
  if ('failure' in outcome) reject(errorOf(outcome.failure));
  else resolve(outcome);
}

const errorOf = ({ message, code, errcode }: Failure): Error =>
  Object.assign(new Error(message), { code, errcode });
