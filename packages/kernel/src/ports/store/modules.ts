/** Defines stored modules: the last declaration of each, and the decision about it. */
import type { InitializeResult } from '@chat-kernel/protocol';

/** The last known state of a module, kept also while it is down (MOD-9). */
export interface ModuleRecord {
  name: string;
  /** The module's last declaration of itself. */
  declaration: InitializeResult;
  /** A hash of its tools, stages and phrase; an approval applies only to this hash. */
  hash: string;
  /** The approved hash; null: it was never approved, or the approval was revoked. */
  approved_hash: string | null;
  /** The declaration at the last approval; null: it was never approved, or that is not known. */
  approved_declaration: InitializeResult | null;
  /** The time of that decision. */
  decided_at: string | null;
}

export interface ModuleStore {
  /** Returns all records, sorted by name. */
  list(): Promise<ModuleRecord[]>;
  /** Stores the declaration of a module; the decision about it does not change, whichever kernel made it. */
  declare(module: Pick<ModuleRecord, 'declaration' | 'hash' | 'name'>): Promise<void>;
  /** Replaces the record with this name. */
  save(module: ModuleRecord): Promise<void>;
}
