/**
 * This terminal as the kernel knows it: a client_id that stays the same from one start to the next, with the owner's
 * lasting permissions for it (HANDS-6). Two terminals at once are two clients, so each holds a database of its own, which
 * the system gives back however its process ends.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type LastingChoice,
  type Operation,
  type OwnRecord,
  OwnUploads,
  subjectOf,
} from '@chat-kernel/client';
import { isEditBelow, prefixWords } from '@chat-kernel/protocol';
import { stateDirectory } from './state-directory.ts';

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
    const isGiven = (subject: string) => {
      const key = [kernel, workdir, subject] as const;
      if (this.#session.has(JSON.stringify(key))) return true;
      const found = 'select 1 from allowed where kernel = ? and workdir = ? and subject = ?';
      return this.#database.prepare(found).get(...key) !== undefined;
    };
    return {
      covers: operation => [subjectOf(operation), ...widerSubjects(operation, workdir)].some(isGiven),
      give: (choice, operation) => {
        const key = [kernel, workdir, givenSubject(choice, operation)] as const;
        if (choice.decision === 'allow_session') this.#session.add(JSON.stringify(key));
        else this.#database.prepare('insert or ignore into allowed values (?, ?, ?)').run(...key);
      },
    };
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** The subject of a decision, which may reach beyond its operation (HANDS-7). */
function givenSubject({ decision, prefix = '' }: LastingChoice, operation: Operation): string {
  if (decision === 'allow_edits') return editsIn(operation);
  if (decision !== 'allow_prefix') return subjectOf(operation);
  return beginningWith(
    prefix.split(/[ \t]/).filter(word => word !== ''),
    operation,
  );
}

/** The subjects of the decisions that cover more than one operation, this one among them. */
function widerSubjects(operation: Operation, workdir: string): string[] {
  const { action, params } = operation;
  if (action === 'shell' && typeof params.command === 'string') {
    const words = prefixWords(params.command);
    return words.map((_, index) => beginningWith(words.slice(0, index + 1), operation));
  }
  const isEdit = action === 'write' && typeof params.path === 'string';
  return isEdit && isEditBelow(workdir, resolve(workdir, params.path as string)) ? [editsIn(operation)] : [];
}

const beginningWith = (words: readonly string[], { chat_id, params: { workdir } }: Operation): string =>
  JSON.stringify(['prefix', chat_id, words, workdir ?? null]);

const editsIn = ({ chat_id }: Operation): string => JSON.stringify(['edits', chat_id]);

/** Whether another process has the database. */
export const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === BUSY;

/** Takes the first client that no other terminal of this user is. @throws Error where its files can't be written */
export function ownClient(env: NodeJS.ProcessEnv): OwnClient {
  const folder = join(stateDirectory(env), 'terminals');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let number = 0; number < MOST; number++) {
    try {
      return new OwnClient(join(folder, `${number}.db`));
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
  return new OwnClient(':memory:');
}
