/**
 * The identity of this terminal: a client_id that persists across starts, with its saved approvals (HANDS-6). Concurrent
 * terminals are separate clients. Each locks its own database, and the system releases the lock when the process ends.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { approvalRecord, decisionLifetime, type LocalApprovals, OwnUploads } from '@chat-kernel/client';
import { isEditBelow } from '@chat-kernel/protocol';
import { stateDirectory } from './state-directory.ts';

/** Limit of concurrent terminals with saved approvals. Others start without any. */
const MAX_CLIENTS = 50;
const BUSY = 5;

export class LocalClient {
  readonly client_id: string;
  /** Proves to the kernel that this is the client with this id. */
  readonly secret: string;
  readonly uploads = new OwnUploads();
  readonly #database: DatabaseSync;
  readonly #session = new Set<string>();

  /**
   * @throws Error if the database can't be opened, or another process has locked it
   */
  constructor(path: string) {
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec(`pragma locking_mode = exclusive; begin exclusive;
        create table if not exists client (id text not null);
        create table if not exists secret (secret text not null);
        create table if not exists allowed (kernel text, workdir text, subject text, primary key (kernel, workdir, subject));
        commit`);
      const known = database.prepare('select id from client').get();
      this.client_id = typeof known?.id === 'string' ? known.id : randomUUID();
      if (known === undefined) database.prepare('insert into client values (?)').run(this.client_id);
      const secret = database.prepare('select secret from secret').get()?.secret;
      this.secret = typeof secret === 'string' ? secret : randomUUID() + randomUUID();
      if (secret === undefined) database.prepare('insert into secret values (?)').run(this.secret);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
  }

  /** The approvals for one kernel in one directory. */
  record(kernel: string, workdir: string): LocalApprovals {
    return approvalRecord({
      isGiven: subject => this.#isGiven([kernel, workdir, subject]),
      give: (subject, decision) => this.#give(decision, [kernel, workdir, subject]),
      isEdit: path => isEditBelow(workdir, resolve(workdir, path), [homedir()]),
    });
  }

  #isGiven(key: Key): boolean {
    if (this.#session.has(JSON.stringify(key))) return true;
    const found = 'select 1 from allowed where kernel = ? and workdir = ? and subject = ?';
    return this.#database.prepare(found).get(...key) !== undefined;
  }

  #give(decision: string, key: Key): void {
    const lasts = decisionLifetime(decision);
    if (lasts === 'process') this.#session.add(JSON.stringify(key));
    if (lasts === 'always')
      this.#database.prepare('insert or ignore into allowed values (?, ?, ?)').run(...key);
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** The kernel, the directory and the subject. */
type Key = readonly [kernel: string, workdir: string, subject: string];

/** Whether another process has locked the database. */
export const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === BUSY;

/** Locks the first free client identity of this user. @throws Error if its files can't be written */
export function openClient(env: NodeJS.ProcessEnv): LocalClient {
  const folder = join(stateDirectory(env), 'terminals');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let number = 0; number < MAX_CLIENTS; number++) {
    try {
      return new LocalClient(join(folder, `${number}.db`));
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
  return new LocalClient(':memory:');
}
