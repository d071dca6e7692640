/**
 * Grants: permissions that outlast one operation (OP-14). All are in memory, so that a look at them costs nothing.
 */
import type { Approval } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import type { SharedLog } from '../fleet/shared-log.ts';
import { type Clock, type Log, type Store, timestamp } from '../ports/index.ts';

/**
 * The subject of a grant: an action of a chat by one client, on one machine, in one directory (HANDS-6). A shell grant
 * covers its exact command and nothing else.
 */
export interface Permission {
  chat_id: string;
  action: string;
  command: string | undefined;
  workdir: string | null;
  workdir_on: 'client' | 'server';
  client_id: string | undefined;
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

  /** @param shared tells the kernels on the same database of each other's grants; absent: there are no others */
  constructor(store: Pick<Store, 'approvals'>, clock: Clock, log: Log, shared?: SharedLog) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#shared = shared;
    shared?.onWord(word => {
      if (word.what === 'approval') this.#approvals.set(word.approval.id, word.approval);
      if (word.what === 'revoked') for (const id of word.ids) this.#approvals.delete(id);
    });
  }

  /** Reads the grants that were given for always. */
  async load(): Promise<void> {
    for (const { command, client_id, ...stored } of await this.#store.approvals.list()) {
      const approval: Approval = {
        ...stored,
        ...(command !== null && { command }),
        ...(client_id !== null && { client_id }),
        decision: 'allow_always',
      };
      this.#approvals.set(approval.id, approval);
    }
  }

  covers(permission: Permission): boolean {
    return this.#find(permission) !== undefined;
  }

  /** Remembers a decision. `allow_always` is on disk when this resolves; `allow_session` ends with the process. */
  async give(decision: Approval['decision'], permission: Permission): Promise<void> {
    const known = this.#find(permission);
    if (known?.decision === decision || known?.decision === 'allow_always') return;
    if (known) this.#approvals.delete(known.id);
    const { command, client_id, ...subject } = permission;
    const facts = { id: uuidv4(), ...subject, created_at: timestamp(this.#clock) };
    const named = {
      ...(command !== undefined && { command }),
      ...(client_id !== undefined && { client_id }),
    };
    const approval = { ...facts, ...named, decision };
    this.#approvals.set(facts.id, approval);
    this.#shared?.tell({ what: 'approval', approval });
    if (decision !== 'allow_always') {
      this.#forgetOldest();
      return;
    }
    try {
      await this.#inOrder(() =>
        this.#store.approvals.save({ ...facts, command: command ?? null, client_id: client_id ?? null }),
      );
    } catch (error) {
      // The operation has been done by now, so the grant holds at least as long as this process.
      this.#log.error({ err: error, chat_id: facts.chat_id }, 'an approval could not be stored');
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

  #take(ids: string[]): void {
    for (const id of ids) this.#approvals.delete(id);
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

  #find(permission: Permission): Approval | undefined {
    return this.list().find(given => SUBJECT.every(fact => given[fact] === permission[fact]));
  }
}

/** A fact that is added to permissions has to be compared: the type asks for it here. */
const SUBJECT = Object.keys({
  chat_id: true,
  action: true,
  command: true,
  workdir: true,
  workdir_on: true,
  client_id: true,
} satisfies Record<keyof Permission, true>) as (keyof Permission)[];
