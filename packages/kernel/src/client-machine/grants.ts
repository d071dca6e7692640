/**
 * Grants: permissions that outlast one operation (OP-14). All are in memory, so that a look at them costs nothing.
 */
import { type Approval, isEditBelow, isPrefix, type Lasting } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import type { SharedLog } from '../fleet/shared-log.ts';
import { type Clock, type Log, type Store, timestamp } from '../ports/index.ts';

/**
 * An operation as grants see it: an action of a chat by one client, on one machine, in one directory (HANDS-6). A shell
 * grant covers its exact command, unless its owner said allow_prefix; a grant for writing every path, unless he said
 * allow_edits.
 */
export interface Permission {
  chat_id: string;
  action: string;
  command: string | undefined;
  /** Of the file, for the actions that have one. */
  path: string | undefined;
  workdir: string | null;
  workdir_on: 'client' | 'server';
  client_id: string | undefined;
  /** The name of the machine that stands by. */
  hands: string | undefined;
}

/** The most session grants that are remembered: a client that says yes to everything must not fill the memory. */
const SESSION_GRANTS = 1000;

export class Grants {
  readonly #store: Pick<Store, 'approvals'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #shared: SharedLog | undefined;
  /** The oldest first. */
  readonly #approvals = new Map<string, Approval>();
  /**
   * The last write to the store. Writes wait for each other, or two database connections could swap a yes and its
   * revocation.
   */
  #stored: Promise<unknown> = Promise.resolve();
  /** How often grants were taken back. */
  #drops = 0;

  /** @param shared tells the kernels on the same database of each other's grants; absent: there are no others */
  constructor(store: Pick<Store, 'approvals'>, clock: Clock, log: Log, shared?: SharedLog) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#shared = shared;
    shared?.onWord(word => {
      if (word.what === 'approval') {
        this.#approvals.set(word.approval.id, word.approval);
        this.#forgetOldest();
      }
      if (word.what === 'revoked') this.#drop(word.ids);
    });
    shared?.onGap(() => this.#readAnew());
  }

  /** Reads the grants that were given for always. */
  async load(): Promise<void> {
    for (const approval of await this.#listStored()) this.#approvals.set(approval.id, approval);
  }

  covers(permission: Permission): boolean {
    return this.list().some(given => isSamePlace(given, permission) && reaches(given, permission));
  }

  /**
   * Remembers a decision; all but `allow_session`, which ends with the process, are on disk when this resolves.
   * @param prefix the words with which commands may begin, for allow_prefix
   */
  async give(decision: Lasting, permission: Permission, prefix?: string): Promise<void> {
    const approval: Approval = {
      id: uuidv4(),
      ...subjectOf(decision, permission, prefix),
      created_at: timestamp(this.#clock),
      decision,
    };
    const known = this.list().find(given => isSameSubject(given, approval));
    if (known?.decision === decision || known?.decision === 'allow_always') return;
    if (known) this.#take([known.id]);
    this.#approvals.set(approval.id, approval);
    this.#shared?.tell({ what: 'approval', approval });
    if (decision === 'allow_session') {
      this.#forgetOldest();
      return;
    }
    const none = { command: null, prefix: null, client_id: null, hands: null };
    try {
      await this.#inOrder(() => this.#store.approvals.save({ ...none, ...approval, decision }));
    } catch (error) {
      // The operation has been done by now, so the grant holds at least as long as this process.
      this.#log.error({ err: error, chat_id: approval.chat_id }, 'an approval could not be stored');
    }
  }

  /** The oldest first. */
  list(): Approval[] {
    return [...this.#approvals.values()];
  }

  /**
   * Takes back one grant, or all; returns how many. The revocation counts from now on, even where the store fails.
   */
  async revoke(id?: string): Promise<number> {
    const ids = id === undefined ? [...this.#approvals.keys()] : this.#approvals.has(id) ? [id] : [];
    this.#take(ids);
    if (ids.length > 0) await this.#inOrder(() => this.#store.approvals.delete(ids));
    return ids.length;
  }

  /** Forgets the grants of a deleted chat; the store has deleted them with it. */
  forget(chatId: string): void {
    this.#take(this.list().flatMap(({ id, chat_id }) => (chat_id === chatId ? [id] : [])));
  }

  /** Others may have revoked grants unheard: those for the session are forgotten, so that their owner is asked once more. */
  #readAnew(): Promise<void> {
    return this.#inOrder(async () => {
      const drops = this.#drops;
      const stored = await this.#listStored();
      if (this.#drops !== drops) throw new Error('a grant was taken back meanwhile');
      this.#approvals.clear();
      for (const approval of stored) this.#approvals.set(approval.id, approval);
    });
  }

  async #listStored(): Promise<Approval[]> {
    const all = await this.#store.approvals.list();
    return all.map(({ command, prefix, client_id, hands, ...stored }) => ({
      ...stored,
      ...(command !== null && { command }),
      ...(prefix !== null && { prefix }),
      ...(client_id !== null && { client_id }),
      ...(hands !== null && { hands }),
    }));
  }

  #drop(ids: readonly string[]): void {
    for (const id of ids) this.#approvals.delete(id);
    this.#drops++;
  }

  #take(ids: string[]): void {
    this.#drop(ids);
    if (ids.length > 0) this.#shared?.tell({ what: 'revoked', ids });
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#stored.then(work);
    this.#stored = done.catch(() => {});
    return done;
  }

  /** Drops session grants above the limit: their owner is asked once more. */
  #forgetOldest(): void {
    const session = this.list().filter(({ decision }) => decision === 'allow_session');
    for (const { id } of session.slice(0, -SESSION_GRANTS)) this.#approvals.delete(id);
  }
}

/** What a decision covers: `command` and `path` of a permission, unless it says how far it reaches beyond them. */
function subjectOf(decision: Lasting, permission: Permission, prefix: string | undefined) {
  const { command, path: _, client_id, hands, ...place } = permission;
  return {
    ...place,
    ...(decision === 'allow_prefix' && prefix !== undefined && { prefix: wordsOf(prefix) }),
    ...(decision !== 'allow_prefix' && command !== undefined && { command }),
    ...(client_id !== undefined && { client_id }),
    ...(hands !== undefined && { hands }),
  };
}

/** With one space between two, as labels show them. */
const wordsOf = (prefix: string): string =>
  prefix
    .trim()
    .split(/[ \t]{1,100}/)
    .join(' ');

/** A fact that is added to permissions has to be compared, here or in `reaches`: the type asks for it. */
const PLACE = Object.keys({
  chat_id: true,
  action: true,
  workdir: true,
  workdir_on: true,
  client_id: true,
  hands: true,
} satisfies Record<Exclude<keyof Permission, 'command' | 'path'>, true>) as (keyof Permission &
  keyof Approval)[];

const isSamePlace = (given: Approval, other: Permission | Approval): boolean =>
  PLACE.every(fact => given[fact] === other[fact]);

const isSameSubject = (given: Approval, other: Approval): boolean =>
  isSamePlace(given, other) &&
  given.command === other.command &&
  given.prefix === other.prefix &&
  (given.decision === 'allow_edits') === (other.decision === 'allow_edits');

function reaches({ decision, command, prefix }: Approval, wanted: Permission): boolean {
  switch (decision) {
    case 'allow_session':
    case 'allow_always':
      return command === wanted.command;
    case 'allow_prefix':
      return prefix !== undefined && wanted.command !== undefined && isPrefix(prefix, wanted.command);
    case 'allow_edits':
      return isEditOf(wanted);
  }
}

/** Whether allow_edits covers the operation. */
export const isEditOf = ({
  action,
  path,
  workdir,
}: Pick<Permission, 'action' | 'path' | 'workdir'>): boolean =>
  action === 'write' && workdir !== null && path !== undefined && isEditBelow(workdir, path);
