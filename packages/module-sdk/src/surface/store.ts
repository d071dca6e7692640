/** Opens the SQLite file of a surface. Each step of its work is stored before the next one begins. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** How long a write waits for another process, such as a previous one that is still stopping. */
const BUSY_MS = 5000;

/**
 * Returns the path of a module's database file, and creates its folder.
 * @param data_dir from the configuration of the module
 * @throws Error if no folder is set
 */
export function databaseFile(data_dir: string | null, name: string): string {
  if (data_dir === null) throw new Error('Where is the folder of the module? Set data_dir, or --data DIR.');
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  return join(data_dir, name);
}

export class SurfaceStore {
  readonly #database: DatabaseSync;

  /**
   * @param versions SQL that migrates the tables to version 1, then to version 2, and so on. Never change what was
   * released. Files from before there were versions count as version 0, so the first SQL must accept existing tables.
   * @throws Error if a newer version of the module has written the file
   */
  constructor(file: string, versions: readonly string[]) {
    createPrivateFile(file);
    this.#database = new DatabaseSync(file, { timeout: BUSY_MS });
    try {
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      if (this.#version() !== versions.length) this.transaction(() => this.#migrate(file, versions));
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#database.prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  /** Does all of the work, or nothing. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #version(): number {
    return this.get<{ user_version: number }>('PRAGMA user_version')!.user_version;
  }

  #migrate(file: string, versions: readonly string[]): void {
    const version = this.#version();
    if (version > versions.length) {
      throw new Error(
        `${file} has version ${version}, and this module knows versions up to ${versions.length}. Start the newer module that wrote it, or name another folder.`,
      );
    }
    for (const sql of versions.slice(version)) this.#database.exec(sql);
    this.#database.exec(`PRAGMA user_version = ${versions.length}`);
  }
}

/** Creates a file that only its owner may read, unless it exists. SQLite gives its other files the same mode. */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
