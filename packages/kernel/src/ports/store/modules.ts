/** Modules: how each declared itself last, and what was decided about it. */
import type { InitializeResult } from '@chat-kernel/protocol';

/** What is known of a module, also while it is down (MOD-9). */
export interface ModuleRecord {
  name: string;
  /** As it declared itself last. */
  declaration: InitializeResult;
  /** Of its version, tools and stages: an approval is bound to it. */
  hash: string;
  /** The hash that was approved; null: none was, or it was revoked. */
  approved_hash: string | null;
  /** When that was decided. */
  decided_at: string | null;
}

export interface ModuleStore {
  /** By name. */
  list(): Promise<ModuleRecord[]>;
  /** Replaces the record of this name. */
  save(module: ModuleRecord): Promise<void>;
}
