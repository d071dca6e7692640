/** Writes to a SQLite database in a separate thread, so that commits do not block this one. */
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileIdentity } from './database-file.ts';
import type { Answer, Statement } from './sqlite-statements.ts';
import type { Writer } from './sqlite-writer.ts';
import { storageUnavailable } from './unavailable.ts';

export interface OpenedDatabase {
  path: string;
  /** The file at the path when the kernel opened it. */
  opened: FileIdentity;
}
/** Requests to the thread. */
export type Asked =
  | { ask: 'begin' | 'commit' | 'rollback' | 'close' }
  | { ask: 'run' | 'alone'; statement: Statement }
  | { ask: 'call'; name: string; args: unknown[] };
/** Its responses, by the numbers of the requests. */
export type Told = { number: number } & ({ value: unknown } | { failure: Failure });
/** The properties of an error that would be lost between threads. */
export interface Failure {
  message: string;
  code?: unknown;
  errcode?: unknown;
}

export class SqliteThread implements Writer {
  readonly #worker: Worker;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #number = 0;
  #closing = false;
  /** Set once the thread has ended. */
  #gone: Error | undefined;

  /**
   * Resolves once the thread has opened the database. Rejects if it cannot, or if the file is not the same any longer.
   * @param program file that the thread runs
   * @param onGone callback for an unexpected end of the thread, after all pending requests have rejected
   */
  static async start(
    program: URL,
    { path, opened: { ino, dev } }: OpenedDatabase,
    onGone: (cause: unknown) => void,
  ): Promise<SqliteThread> {
    const workerData: OpenedDatabase = { path, opened: { ino, dev } };
    const worker = new Worker(program, { workerData, env: withCompiled(process.env), execArgv: [] });
    // Allow the process to exit when its other work is done: the store closes what is open.
    worker.unref();
    await once(worker, 'message');
    return new SqliteThread(worker, onGone);
  }

  private constructor(worker: Worker, onGone: (cause: unknown) => void) {
    this.#worker = worker;
    worker.on('message', (answers: Told[]) => {
      for (const answer of answers) this.#settle(answer);
      if (this.#open.size === 0 && !this.#closing) worker.unref();
    });
    let cause: unknown;
    worker.on('error', error => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#gone = storageUnavailable('the thread that writes to the database ended', cause);
      for (const { reject } of this.#open.values()) reject(this.#gone);
      this.#open.clear();
      if (!this.#closing) onGone(cause);
    });
  }

  get hasEnded(): boolean {
    return this.#gone !== undefined;
  }

  async begin(): Promise<boolean> {
    await this.#ask({ ask: 'begin' });
    return true;
  }

  run(statement: Statement): Promise<Answer> {
    return this.#ask({ ask: 'run', statement: sendable(statement) }) as Promise<Answer>;
  }

  async commit(): Promise<void> {
    await this.#ask({ ask: 'commit' });
  }

  async rollback(): Promise<void> {
    await this.#ask({ ask: 'rollback' });
  }

  alone(statement: Statement): Promise<Answer> {
    return this.#ask({ ask: 'alone', statement: sendable(statement) }) as Promise<Answer>;
  }

  /** Runs a procedure as its own transaction. */
  async call(name: string, args: unknown[]): Promise<void> {
    await this.#ask({ ask: 'call', name, args });
  }

  async close(): Promise<void> {
    this.#closing = true;
    const exit = once(this.#worker, 'exit');
    // This promise also rejects on errors, which the request below reports as well.
    exit.catch(() => {});
    await this.#ask({ ask: 'close' });
    await exit;
  }

  #ask(asked: Asked): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    this.#worker.postMessage({ number: ++this.#number, ...asked });
    if (this.#open.size === 0) this.#worker.ref();
    const answer = Promise.withResolvers<unknown>();
    this.#open.set(this.#number, answer);
    return answer.promise;
  }

  #settle(answers: Told): void {
    const answer = this.#open.get(answers.number);
    this.#open.delete(answers.number);
    if ('failure' in answers) answer?.reject(toError(answers.failure));
    else answer?.resolve(answers.value);
  }
}

/** Passes the compile cache of this thread to the other one, without the subfolder that Node adds for its version. */
function withCompiled(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? env : { ...env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** Removes the other parts of a query, some of which are functions. */
const sendable = ({ sql, parameters }: Statement): Statement => ({ sql, parameters });

const toError = ({ message, code, errcode }: Failure): Error =>
  Object.assign(new Error(message), { code, errcode });
