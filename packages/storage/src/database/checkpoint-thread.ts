/** Runs checkpoints of a SQLite database in a thread, which starts with the first one. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileIdentity } from './database-file.ts';

export interface OpenedDatabase {
  path: string;
  /** The file at the path when the kernel opened it. */
  opened: FileIdentity;
}
export type CheckpointStep = 'checkpoint' | 'restart log';

const PROGRAM = new URL(`../checkpoints${extname(import.meta.filename)}`, import.meta.url);

export class CheckpointThread {
  readonly #database: OpenedDatabase;
  #worker: Worker | undefined;

  constructor({ path, opened: { ino, dev } }: OpenedDatabase) {
    this.#database = { path, opened: { ino, dev } };
  }

  /** Moves the write-ahead log into the database, except for pages whose older state another process is reading. */
  checkpoint(): Promise<void> {
    return this.#run('checkpoint');
  }

  /** Moves the rest, and lets the next write overwrite the log from its start. Requires that nothing else writes. */
  restartLog(): Promise<void> {
    return this.#run('restart log');
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #run(step: CheckpointStep): Promise<void> {
    this.#worker ??= new Worker(PROGRAM, { workerData: this.#database, execArgv: [] });
    const worker = this.#worker;
    worker.ref();
    worker.postMessage(step);
    try {
      // Rejects with the error of the thread, which ends with it.
      await once(worker, 'message');
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
    // An idle thread keeps no process running.
    worker.unref();
  }
}
