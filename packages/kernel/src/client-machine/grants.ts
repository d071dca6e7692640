/** Stores grants: permissions for more than one operation (OP-14). All are in memory, so that checks are cheap. */
import {
  type Approval,
  decisionLifetime,
  factsOfDecision,
  isLasting,
  type LastingDecision,
} from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import type { Coverage } from '../consent/decide.ts';
import { isNamedBy } from '../consent/outside.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import { type Clock, type Log, type Store, timestamp } from '../ports/index.ts';
import { approvalSubject, isSamePlace, isSameSubject, type Permission, reaches } from './permission.ts';

/** The maximum number of session grants: a client that approves everything must not fill the memory. */
const SESSION_GRANTS = 1000;

export class Grants {
  readonly #store: Pick<Store, 'approvals'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #shared: SharedLog | undefined;
  /** Oldest first. */
  readonly #approvals = new Map<string, Approval>();
  /**
   * The last write to the store. Writes are serialized, because two database connections could reorder an approval and
   * its revocation.
   */
  #stored: Promise<unknown> = Promise.resolve();
  /** The number of revocations. */
  #drops = 0;

  /** @param shared publishes grants to the kernels on the same database; absent: there are no other kernels */
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

  async load(): Promise<void> {
    for (const approval of await this.#listStored()) this.#approvals.set(approval.id, approval);
  }

  /** @param outside the sources that the turn has read */
  covers(permission: Permission, outside: readonly string[]): Coverage {
    const covering = this.#covering(permission);
    if (covering.length === 0) return 'no';
    return covering.some(({ outside: shown = [] }) => outside.every(source => isNamedBy(shown, source)))
      ? 'knowingly'
      : 'yes';
  }

  /** Whether grants cover the command, but none its exact words (CONSENT-7). */
  coversOnlyByPrefix(permission: Permission): boolean {
    const covering = this.#covering(permission);
    return (
      covering.length > 0 && covering.every(({ decision }) => factsOfDecision(decision)?.reach === 'prefix')
    );
  }

  /**
   * Stores a decision; if it survives the process, it is on disk when this resolves.
   * @param options.prefix the prefix of permitted commands, for a decision that reaches a prefix
   * @param options.outside the sources that the dialog showed
   */
  async give(
    decision: LastingDecision,
    permission: Permission,
    { prefix, outside = [] }: { prefix?: string | undefined; outside?: readonly string[] } = {},
  ): Promise<void> {
    const approval: Approval = {
      id: uuidv4(),
      ...approvalSubject(decision, permission, prefix),
      ...(outside.length > 0 && { outside: [...outside] }),
      created_at: timestamp(this.#clock),
      decision,
    };
    const known = [...this.#approvals.values()].find(given => isSameSubject(given, approval));
    if (known && isLasting(known.decision) && (isStored(known) || !isStored(approval))) return;
    if (known) this.#take([known.id]);
    this.#approvals.set(approval.id, approval);
    this.#shared?.publish({ what: 'approval', approval });
    if (!isStored(approval)) {
      this.#forgetOldest();
      return;
    }
    const none = { command: null, prefix: null, client_id: null, hands: null, target: null, outside: null };
    try {
      await this.#inOrder(() => this.#store.approvals.save({ ...none, ...approval }));
    } catch (error) {
      // The operation has already been executed, so the grant applies at least until this process ends.
      this.#log.error({ err: error, chat_id: approval.chat_id }, 'an approval could not be stored');
    }
  }

  /** Oldest first, without decisions that this kernel does not know: they applied once. */
  list(): Approval[] {
    return [...this.#approvals.values()].filter(({ decision }) => isLasting(decision));
  }

  /** Revokes one grant or all; returns how many. The revocation applies immediately, even if the store fails. */
  async revoke(id?: string): Promise<number> {
    const ids = id === undefined ? [...this.#approvals.keys()] : this.#approvals.has(id) ? [id] : [];
    const count = this.list().filter(given => ids.includes(given.id)).length;
    this.#take(ids);
    if (ids.length > 0) await this.#inOrder(() => this.#store.approvals.delete(ids));
    return count;
  }

  /** Drops the grants of a deleted chat; the store has deleted them with it. */
  forget(chatId: string): void {
    this.#take([...this.#approvals.values()].flatMap(({ id, chat_id }) => (chat_id === chatId ? [id] : [])));
  }

  /** Reads the grants again after missed revocations. Session grants are dropped, so the user is asked again. */
  #readAnew(): Promise<void> {
    return this.#inOrder(async () => {
      const drops = this.#drops;
      const stored = await this.#listStored();
      if (this.#drops !== drops) throw new Error('a grant was revoked concurrently');
      this.#approvals.clear();
      for (const approval of stored) this.#approvals.set(approval.id, approval);
    });
  }

  async #listStored(): Promise<Approval[]> {
    const all = await this.#store.approvals.list();
    return all.map(({ command, prefix, client_id, hands, target, outside, ...stored }) => ({
      ...stored,
      ...(command !== null && { command }),
      ...(prefix !== null && { prefix }),
      ...(client_id !== null && { client_id }),
      ...(hands !== null && { hands }),
      ...(target !== null && { target }),
      ...(outside !== null && { outside: [...outside] }),
    }));
  }

  #covering = (permission: Permission): Approval[] =>
    this.list().filter(given => isSamePlace(given, permission) && reaches(given, permission));

  #drop(ids: readonly string[]): void {
    for (const id of ids) this.#approvals.delete(id);
    this.#drops++;
  }

  #take(ids: string[]): void {
    this.#drop(ids);
    if (ids.length > 0) this.#shared?.publish({ what: 'revoked', ids });
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#stored.then(work);
    this.#stored = done.catch(() => {});
    return done;
  }

  /** Drops session grants above the limit: the user is asked again. */
  #forgetOldest(): void {
    const session = this.list().filter(each => !isStored(each));
    for (const { id } of session.slice(0, -SESSION_GRANTS)) this.#approvals.delete(id);
  }
}

/** Whether a grant survives the process. */
const isStored = ({ decision }: Approval): boolean => decisionLifetime(decision) === 'always';
