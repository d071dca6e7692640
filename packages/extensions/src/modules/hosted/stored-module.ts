/** The record of a module in the store: its last declaration, and the decision about it (MOD-2, MOD-9). */
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
  /** Saves run one after the other, so that the last one stays. Never rejects. */
  #saved: Promise<unknown> = Promise.resolve();

  constructor(deps: StoredModuleDeps) {
    this.#deps = deps;
    this.#record = deps.record;
  }

  /** The last declaration; undefined: the module has never answered. */
  get declaration(): InitializeResult | undefined {
    return this.#record?.declaration;
  }

  /** The hash of the declaration, which an approval is bound to. */
  get hash(): string | undefined {
    return this.#record?.hash;
  }

  /** What was declared when the module was approved last; undefined: it never was. */
  get approvedDeclaration(): InitializeResult | undefined {
    return this.#record?.approved_declaration ?? undefined;
  }

  /** The decision is an approval of exactly this declaration. */
  get approvedAsIs(): boolean {
    return this.#record !== undefined && this.#record.approved_hash === this.#record.hash;
  }

  /** The last decision was an approval, of whatever declaration. */
  get decided(): boolean {
    return this.#record?.approved_hash != null;
  }

  get revoked(): boolean {
    return this.#record?.approved_hash === null && this.#record.decided_at !== null;
  }

  /** When this declaration was approved; null: no decision did. */
  get approvedAt(): string | null {
    const { approved_hash, hash, decided_at } = this.#record ?? {};
    return approved_hash === hash ? (decided_at ?? null) : null;
  }

  /** Takes a declaration over at once. Resolves when it is stored. */
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
   * Takes over a decision that another kernel has stored. Returns whether it is a new one.
   * @param isHere false: the module runs elsewhere alone, and what it declares is taken over, too
   */
  hear(
    { approved_hash, approved_declaration, decided_at, ...declared }: ModuleRecord,
    isHere: boolean,
  ): boolean {
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

  /** Stores a decision, which counts from then on. There has to be a declaration. @param approved_hash null: revoked */
  async decide(approved_hash: string | null): Promise<void> {
    const decided_at = timestamp(this.#deps.clock);
    const before = this.#record as ModuleRecord;
    const approved_declaration = approved_hash === null ? null : before.declaration;
    const decision = { approved_hash, approved_declaration, decided_at };
    await this.#save({ ...before, ...decision });
    // The module may have declared itself anew meanwhile.
    const now = this.#record as ModuleRecord;
    this.#record = { ...now, ...decision };
    if (now !== before) await this.#save(this.#record);
  }

  /** Resolves when all that was to be stored is stored, or has failed. */
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
