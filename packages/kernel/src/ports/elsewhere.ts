/** Tools of modules and guests at the other kernels of the database, which run them (FLEET-4). */
import type { ConsentResult, JsonObject, TurnContext } from '@chat-kernel/protocol';
import type { OwnerQuestion, RequestEnding } from './request.ts';
import type { OutsideAct, Tool, ToolContext, ToolGroup, ToolOutput } from './tool.ts';
import type { TraceContext } from './tracing.ts';

/** What the tools of modules and guests use of a call's context: no more than can come from another kernel. */
export type BroughtContext = Pick<
  ToolContext,
  'askOwner' | 'consentToAct' | 'progress' | 'signal' | 'trace' | 'turn_context'
>;

/** A tool of a module or guest. */
export interface BroughtTool extends Tool {
  run(input: JsonObject, context: BroughtContext): Promise<ToolOutput>;
}

/** A tool as kernels tell each other of it. */
export type SharedTool = Pick<
  BroughtTool,
  | 'available'
  | 'client_only'
  | 'description'
  | 'group'
  | 'icon'
  | 'input_schema'
  | 'name'
  | 'on_demand'
  | 'outside_effect'
  | 'source'
  | 'trusted_only'
>;

/** The tools of one module or guest. */
export interface SharedTools {
  group: ToolGroup;
  tools: readonly SharedTool[];
}

/** The tools of one module or guest, and the kernel that runs it. */
export interface ToolsAt extends SharedTools {
  kernel: { id: string; name: string; url: string };
}

/** A call for another kernel. */
export interface ForeignCall {
  /** New with each call. */
  id: string;
  /** The full name of the tool. */
  name: string;
  input: JsonObject;
  turn_context: TurnContext;
  trace?: TraceContext | undefined;
}

/** What the owner is asked for a call, by the kernel that has the chat, and what he answered. */
export type OwnerAsk = { question: OwnerQuestion } | { act: OutsideAct };
export type OwnerAnswer = { ending: RequestEnding } | { consent: ConsentResult };

/** The other kernel gave no result. */
export class CallLost extends Error {
  /** Whether it may have acted on the call all the same. */
  readonly wasSent: boolean;

  constructor(wasSent: boolean, cause?: unknown) {
    super('The other kernel gave no result.', { cause });
    this.wasSent = wasSent;
  }
}

/**
 * Runs a call at another kernel, once.
 * @throws CallLost
 */
export type CallElsewhere = (
  at: ToolsAt['kernel'],
  call: ForeignCall,
  scope: Pick<BroughtContext, 'askOwner' | 'consentToAct' | 'progress' | 'signal'>,
) => Promise<ToolOutput>;
