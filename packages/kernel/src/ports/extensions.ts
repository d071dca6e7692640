/** Modules and MCP guests, which add tools and stages to the kernel. */
import type { Module, StageName, StagePayload, TurnContext } from '@chat-kernel/protocol';
import type { BroughtTool } from './elsewhere.ts';
import type { Guests } from './guests.ts';
import type { ToolGroup } from './tool.ts';

/** The stop of a payload by a module. */
export interface StageBlock {
  /** The module's name. */
  by: string;
  reason: string;
}

/** The result of a payload's way through the modules: maybe changed, or stopped by one of them. */
export type StageVerdict<Stage extends StageName> =
  | { blocked?: undefined; payload: StagePayload<Stage> }
  | { blocked: StageBlock };

/** Where modules intercept turns (MOD-7). */
export interface Stages {
  /** Whether any module takes part in a stage. Where none does, `run` need not be called. */
  has(stage: StageName): boolean;
  /** Passes the payload through the modules, one after the other. Rejects only when the signal is aborted. */
  run<Stage extends StageName>(
    stage: Stage,
    payload: StagePayload<Stage>,
    context: TurnContext,
    signal: AbortSignal,
  ): Promise<StageVerdict<Stage>>;
}

/** A module that was approved and has changed since: it does nothing, and its stages stop what they would have seen. */
export interface ChangedModule {
  module: Module;
  /** The hash of what it declares now, which an approval is bound to. */
  hash: string;
}

export interface BroughtTools {
  /** All tools that can be called now, those of modules that are down included (MOD-9). */
  tools: readonly BroughtTool[];
  groups: readonly ToolGroup[];
  /**
   * The groups of modules and guests that this kernel runs, or would: the settings name them, or their socket is here.
   * Others are known by the database alone.
   */
  here: readonly string[];
  /** Names of tools that cannot be called now, and that no other tool may take. */
  reserved: readonly string[];
}

export interface Extensions {
  readonly stages: Stages;
  readonly guests: Guests;
  tools(): BroughtTools;
  /** By name. */
  changed(): ChangedModule[];
  /** Calls back whenever the result of `tools` or `changed` changes. */
  onChange(callback: () => void): void;
  /** All known modules, sorted by name. */
  modules(): Module[];
  /**
   * Approves a module as it is now.
   * @param hash of what its owner has seen it declare
   * @throws KernelError not_found; invalid_value where it declares something else by now
   */
  approve(name: string, hash?: string): Promise<Module>;
  /** Calls back whenever a module was approved or revoked here, once that is stored. */
  onDecision(callback: () => void): void;
  /** Takes over what other kernels on the database have decided about the modules of this one. */
  hearDecisions(): Promise<void>;
  /** Removes the module's tools and stages until it is approved again. @throws KernelError not_found */
  revoke(name: string): Promise<Module>;
}
