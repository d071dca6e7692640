/** Modules: how each declared itself last, and what was decided about it. */
import type { InitializeResult } from '@chat-kernel/protocol';

/** A module as it was seen last, kept also while it is down (MOD-9). */
export interface ModuleRecord {
  name: string;
  /** The module's last declaration of itself. */
  declaration: InitializeResult;
  /** A hash of its version, tools and stages; an approval holds for this hash alone. */
  hash: string;
  /** The hash that was approved; null: none was, or it was revoked. */
  approved_hash: string | null;
  /** What it declared when it was approved last; null: it never was, or that is not known. */
  approved_declaration: InitializeResult | null;
  /** The time of that decision. */
  decided_at: string | null;
}

export interface ModuleStore {
  /** Returns all records, sorted by name. */
  list(): Promise<ModuleRecord[]>;
  /** Keeps what a module declares; what was decided about it stays as it is, whichever kernel decided. */
  declare(module: Pick<ModuleRecord, 'declaration' | 'hash' | 'name'>): Promise<void>;
  /** Replaces the record of this name. */
  save(module: ModuleRecord): Promise<void>;
}
