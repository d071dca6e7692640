/** Defines modules and MCP guests, which add tools and stages to the kernel. */
import type { Module, QuestionParams, StageName, StagePayload, TurnContext } from '@chat-kernel/protocol';
import type { Guests } from './guests.ts';
import type { ExtensionTool } from './remote-tools.ts';
import type { ToolGroup } from './tool.ts';

/** The block of a payload by a module. */
export interface StageBlock {
  /** The module's name. */
  by: string;
  reason: string;
}

/** The result of passing a payload through the modules: possibly changed, or blocked by one of them. */
export type StageVerdict<Stage extends StageName> =
  | { blocked?: undefined; payload: StagePayload<Stage> }
  | { blocked: StageBlock };

/** The stages at which modules intercept turns (MOD-7). */
export interface Stages {
  /** Whether any module takes part in a stage. If none does, `run` need not be called. */
  has(stage: StageName): boolean;
  /** Records that a module has set the anchor of a turn under its name (MOD-5). */
  anchorSetBy(module: string): void;
  /** Passes the payload through the modules, one after the other. Rejects only if the signal is aborted. */
  run<Stage extends StageName>(
    stage: Stage,
    payload: StagePayload<Stage>,
    context: TurnContext,
    signal: AbortSignal,
  ): Promise<StageVerdict<Stage>>;
}

/**
 * An approved module that has changed since: it is inactive, and its stages block the payloads that they would have
 * received.
 */
export interface ChangedModule {
  module: Module;
  /** The hash of its current declaration, to which an approval is bound. */
  hash: string;
}

export interface ExtensionTools {
  /** All tools that can be called now, including those of modules that are down (MOD-9). */
  tools: readonly ExtensionTool[];
  groups: readonly ToolGroup[];
  /**
   * The groups of modules and guests that this kernel runs or would run: they are in the settings, or have a local
   * socket. Others are known only from the database.
   */
  here: readonly string[];
  /** Names of tools that cannot be called now, and that other tools must not use. */
  reserved: readonly string[];
}

/**
 * Asks the owner a question of an approved module. Resolves with the answer, or with null if there was none in time.
 * @param over aborted when the module has disconnected
 * @throws KernelError too_busy, shutting_down; also if the module has disconnected
 */
export type ModuleQuestion = (
  module: string,
  question: QuestionParams,
  over: AbortSignal,
) => Promise<string | null>;

export interface Extensions {
  readonly stages: Stages;
  readonly guests: Guests;
  tools(): ExtensionTools;
  /** Sorted by name. */
  changed(): ChangedModule[];
  /** Calls back whenever the result of `tools` or `changed` changes. */
  onChange(callback: () => void): void;
  /** Sends questions of modules outside of calls to this function. */
  onQuestion(ask: ModuleQuestion): void;
  /** All known modules, sorted by name. */
  modules(): Module[];
  /**
   * Approves a module in its current state.
   * @param hash the hash of the declaration that the user has seen
   * @throws KernelError not_found; invalid_value if the declaration has changed since
   */
  approve(name: string, hash?: string): Promise<Module>;
  /** Calls back whenever a module was approved or revoked on this kernel, once that is stored. */
  onDecision(callback: () => void): void;
  /** Applies the decisions of other kernels on the database about the modules of this one. */
  reloadDecisions(): Promise<void>;
  /** Removes the module's tools and stages until it is approved again. @throws KernelError not_found */
  revoke(name: string): Promise<Module>;
}
