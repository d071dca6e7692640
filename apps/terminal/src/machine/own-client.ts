/**
 * This terminal as the kernel knows it: a client_id that stays the same from one start to the next, with the owner's
 * lasting permissions for it (HANDS-6). Two terminals at once are two clients, so each holds a database of its own, which
 * the system gives back however its process ends.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Operation, type OwnRecord, OwnUploads, subjectOf } from '@chat-kernel/client';
import { historyPath } from './input-history.ts';

/** As many terminals at once keep their permissions; more begin without any. */
const MOST = 50;
const BUSY = 5;

export class OwnClient {
  readonly client_id: string;
  readonly uploads = new OwnUploads();
  readonly #database: DatabaseSync;
  readonly #session = new Set<string>();

  /** @throws Error where the database can't be opened, or another process has it */
  constructor(path: string) {
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec(`pragma locking_mode = exclusive; begin exclusive;
        create table if not exists client (id text not null);
        create table if not exists allowed (kernel text, workdir text, subject text, primary key (kernel, workdir, subject));
        commit`);
      const known = database.prepare('select id from client').get();
      this.client_id = typeof known?.id === 'string' ? known.id : randomUUID();
      if (known === undefined) database.prepare('insert into client values (?)').run(this.client_id);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
  }

  /** What was allowed to one kernel in one directory. */
  record(kernel: string, workdir: string): OwnRecord {
    const keyOf = (operation: Operation) => [kernel, workdir, subjectOf(operation)] as const;
    return {
      covers: operation => {
        const key = keyOf(operation);
        if (this.#session.has(JSON.stringify(key))) return true;
        const found = 'select 1 from allowed where kernel = ? and workdir = ? and subject = ?';
        return this.#database.prepare(found).get(...key) !== undefined;
      },
      give: (decision, operation) => {
        const key = keyOf(operation);
        if (decision === 'allow_session') this.#session.add(JSON.stringify(key));
        else this.#database.prepare('insert or ignore into allowed values (?, ?, ?)').run(...key);
      },
    };
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** Takes the first client that no other terminal of this user is. @throws Error where its files can't be written */
export function ownClient(env: NodeJS.ProcessEnv): OwnClient {
  const folder = join(dirname(historyPath(env)), 'terminals');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let number = 0; number < MOST; number++) {
    try {
      return new OwnClient(join(folder, `${number}.db`));
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    }
  }
  return new OwnClient(':memory:');
}
