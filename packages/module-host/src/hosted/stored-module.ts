/** Keeps the stored record of a module: its last declaration, and the decision about it (MOD-2, MOD-9). */
import { type Clock, type ModuleRecord, type Store, timestamp } from '@chat-kernel/kernel';
import type { InitializeResult } from '@chat-kernel/protocol';
import { fingerprint } from '../session/declaration.ts';

interface StoredModuleDeps {
  name: string;
  record: ModuleRecord | undefined;
  store: Pick<Store, 'modules'>;
  clock: Clock;
}

export class StoredModule {
  readonly #deps: StoredModuleDeps;
  #record: ModuleRecord | undefined;
  /** Saves run one after the other, so that the last one remains. Never rejects. */
  #saved: Promise<unknown> = Promise.resolve();

  constructor(deps: StoredModuleDeps) {
    this.#deps = deps;
    this.#record = deps.record && withHashes(deps.record);
  }

  /** The last declaration; undefined if the module has never answered. */
  get declaration(): InitializeResult | undefined {
    return this.#record?.declaration;
  }

  /** The hash of the declaration, to which an approval is bound. */
  get hash(): string | undefined {
    return this.#record?.hash;
  }

  /** The declaration at the last approval; undefined if the module was never approved. */
  get approvedDeclaration(): InitializeResult | undefined {
    return this.#record?.approved_declaration ?? undefined;
  }

  /** Whether the decision approves exactly this declaration. */
  get approvedAsIs(): boolean {
    return this.#record !== undefined && this.#record.approved_hash === this.#record.hash;
  }

  /** Whether the last decision was an approval, of any declaration. */
  get decided(): boolean {
    return this.#record?.approved_hash != null;
  }

  get revoked(): boolean {
    return this.#record?.approved_hash === null && this.#record.decided_at !== null;
  }

  /** The time of the approval of this declaration; null if it was not approved by a decision. */
  get approvedAt(): string | null {
    const { approved_hash, hash, decided_at } = this.#record ?? {};
    return approved_hash === hash ? (decided_at ?? null) : null;
  }

  /** Applies a declaration immediately. Resolves when it is stored. */
  declare(declaration: InitializeResult): Promise<void> {
    this.#record = {
      name: this.#deps.name,
      declaration,
      hash: fingerprint(declaration),
      approved_hash: this.#record?.approved_hash ?? null,
      approved_declaration: this.#record?.approved_declaration ?? null,
      decided_at: this.#record?.decided_at ?? null,
    };
    const record = this.#record;
    return this.#inOrder(() => this.#deps.store.modules.declare(record));
  }

  /**
   * Applies a decision that another kernel has stored. Returns whether it is new.
   * @param isHere false if the module runs only on other kernels; its stored declaration is then applied, too
   */
  hear(stored: ModuleRecord, isHere: boolean): boolean {
    const { approved_hash, approved_declaration, decided_at, ...declared } = withHashes(stored);
    const before = this.#record;
    if (before?.decided_at === decided_at && before?.approved_hash === approved_hash) return false;
    this.#record = {
      ...(isHere && before ? before : declared),
      approved_hash,
      approved_declaration,
      decided_at,
    };
    return true;
  }

  /** Stores a decision, which applies from then on. Requires a declaration. @param approved_hash null: revoked */
  async decide(approved_hash: string | null): Promise<void> {
    const decided_at = timestamp(this.#deps.clock);
    const before = this.#record as ModuleRecord;
    const approved_declaration = approved_hash === null ? null : before.declaration;
    const decision = { approved_hash, approved_declaration, decided_at };
    await this.#save({ ...before, ...decision });
    // The module may have declared itself again in the meantime.
    const now = this.#record as ModuleRecord;
    this.#record = { ...now, ...decision };
    if (now !== before) await this.#save(this.#record);
  }

  /** Resolves when all pending saves have succeeded or failed. */
  async saved(): Promise<void> {
    await this.#saved;
  }

  #save(record: ModuleRecord): Promise<void> {
    return this.#inOrder(() => this.#deps.store.modules.save(record));
  }

  #inOrder(write: () => Promise<void>): Promise<void> {
    const saved = this.#saved.then(write);
    this.#saved = saved.catch(() => {});
    return saved;
  }
}

/** Recomputes the hashes of a stored record, because an earlier version of the kernel may have hashed other fields. */
function withHashes(record: ModuleRecord): ModuleRecord {
  const hash = fingerprint(record.declaration);
  return { ...record, hash, approved_hash: approvedHash(record, hash) };
}

function approvedHash(
  { approved_hash, approved_declaration, hash }: ModuleRecord,
  now: string,
): string | null {
  if (approved_hash === null) return null;
  if (approved_declaration !== null) return fingerprint(approved_declaration);
  return approved_hash === hash ? now : approved_hash;
}
