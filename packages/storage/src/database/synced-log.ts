/**
 * The write-ahead log of a SQLite database, and whether all of it is on the disk. Commits only write it; the thread pool
 * syncs it, so that no commit blocks the thread of the kernel, and one sync serves all commits that wait.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { storageUnavailable } from './unavailable.ts';

/** Syncs the content of a file, given by its descriptor. */
export type SyncFile = (file: number) => Promise<void>;

export class SyncedLog {
  readonly #file: number;
  readonly #onSynced: () => void;
  readonly #syncFile: SyncFile;
  #running: Promise<void> | undefined;
  /** The sync that begins after the running one. */
  #next: Promise<void> | undefined;
  #failure: Error | undefined;

  /**
   * @param database the path of the database, which is open
   * @param onSynced called after each sync
   */
  constructor(database: string, onSynced: () => void, syncFile: SyncFile = promisify(fdatasync)) {
    this.#file = openSync(`${database}-wal`, 'r+');
    this.#onSynced = onSynced;
    this.#syncFile = syncFile;
  }

  /** Throws KernelError storage_unavailable if a sync has failed: it is unknown what of the log is on the disk. */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Called after a commit. Resolves once it is on the disk. @throws KernelError storage_unavailable */
  synced(): Promise<void> {
    if (this.#running === undefined) return this.#sync();
    // The running sync may miss what was written after it began.
    this.#next ??= this.#running.then(() => this.#sync());
    return this.#next;
  }

  /** Resolves once all earlier commits are on the disk; undefined: they are. @throws KernelError storage_unavailable */
  settled(): Promise<void> | undefined {
    this.check();
    return this.#next ?? this.#running;
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {});
    await this.#running?.catch(() => {});
    closeSync(this.#file);
  }

  #sync(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#syncNow();
    return this.#running;
  }

  async #syncNow(): Promise<void> {
    this.check();
    try {
      await this.#syncFile(this.#file);
    } catch (error) {
      // Another sync could succeed although the system has dropped what this one did not write.
      this.#failure = storageUnavailable('the disk failed; start the kernel again', error);
      throw this.#failure;
    }
    if (this.#next === undefined) this.#running = undefined;
    this.#onSynced();
  }
}
