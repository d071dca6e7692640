/** Modules and MCP guests, which add tools and stages to the kernel. */
import type { Module, StageName, StagePayload, TurnContext } from '@chat-kernel/protocol';
import type { Tool, ToolGroup } from './tool.ts';

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

export interface Extensions {
  readonly stages: Stages;
  /** All tools that can be called now, those of modules that are down included (MOD-9). */
  tools(): { tools: readonly Tool[]; groups: readonly ToolGroup[] };
  /** Calls back whenever the result of `tools` changes. */
  onChange(callback: () => void): void;
  /** All known modules, sorted by name. */
  modules(): Module[];
  /** @throws KernelError not_found */
  approve(name: string): Promise<Module>;
  /** Removes the module's tools and stages until it is approved again. @throws KernelError not_found */
  revoke(name: string): Promise<Module>;
}
