/** Defines observers as a port: they do the work of turns without changing it, such as telemetry. */
import type { TurnEnd, Usage } from '@chat-kernel/protocol';
import type { TurnRecord } from './store/index.ts';
import type { Tool, ToolOutput } from './tool.ts';

/** A turn, or a sub-agent inside a turn. */
export interface ObservedRun {
  readonly turn: {
    readonly record: TurnRecord;
    readonly model: { readonly id: string | null; readonly usage: Usage };
    readonly outcome: { readonly status: TurnEnd | null; readonly errorCode: string | undefined };
  };
  /** The name of the sub-agent. */
  readonly agent?: string;
}

/** Each function does the work once, and settles like it. */
export interface TurnObserver {
  run<Result>(run: ObservedRun, work: () => Promise<Result>): Promise<Result>;
  /** @param call `tool` is undefined if there is no tool with the name that the model wrote */
  call<Output extends ToolOutput>(
    run: ObservedRun,
    call: { id: string; tool: Tool | undefined },
    work: () => Promise<Output>,
  ): Promise<Output>;
}

export const NO_OBSERVER: TurnObserver = { run: (_, work) => work(), call: (_run, _call, work) => work() };
