/** Defines tools of modules and guests that other kernels of the database run (FLEET-4). */
import type { ConsentResult, JsonObject, TurnContext } from '@chat-kernel/protocol';
import type { OwnerQuestion, RequestEnding } from './request.ts';
import type { OutsideAct, Tool, ToolContext, ToolGroup, ToolOutput } from './tool.ts';

/** The part of a call's context that tools of modules and guests use; other kernels can provide all of it. */
export type ExtensionCallContext = Pick<
  ToolContext,
  'askOwner' | 'consentToAct' | 'progress' | 'signal' | 'turn_context'
>;

/** A tool of a module or guest. */
export interface ExtensionTool extends Tool {
  run(input: JsonObject, context: ExtensionCallContext): Promise<ToolOutput>;
}

/** A tool in the form that kernels publish to each other. */
export type ToolAdvertisement = Pick<
  ExtensionTool,
  | 'asks_itself'
  | 'assumed_effects'
  | 'available'
  | 'client_only'
  | 'description'
  | 'effects'
  | 'group'
  | 'icon'
  | 'input_schema'
  | 'name'
  | 'on_demand'
  | 'outside'
  | 'outside_effect'
  | 'source'
  | 'trusted_only'
>;

/** The tools of one module or guest. */
export interface ToolAdvertisements {
  group: ToolGroup;
  tools: readonly ToolAdvertisement[];
}

/** The tools of one module or guest, and the kernel that runs it. */
export interface AdvertisedTools extends ToolAdvertisements {
  kernel: { id: string; name: string; url: string };
}

/** A call for another kernel. */
export interface RemoteCall {
  /** New for each call. */
  id: string;
  /** The full name of the tool. */
  name: string;
  input: JsonObject;
  turn_context: TurnContext;
}

/** A question to the user about a call, sent through the kernel that owns the chat, and the answer. */
export type OwnerAsk = { question: OwnerQuestion } | { act: OutsideAct };
export type OwnerAnswer = { ending: RequestEnding } | { consent: ConsentResult };

/** Thrown if the other kernel returned no result. */
export class RemoteCallError extends Error {
  /** Whether that kernel may have executed the call anyway. */
  readonly wasSent: boolean;

  constructor(wasSent: boolean, cause?: unknown) {
    super('The other kernel returned no result.', { cause });
    this.wasSent = wasSent;
  }
}

/**
 * Runs a call on another kernel, once.
 * @throws RemoteCallError
 */
export type CallElsewhere = (
  at: AdvertisedTools['kernel'],
  call: RemoteCall,
  scope: Pick<ExtensionCallContext, 'askOwner' | 'consentToAct' | 'progress' | 'signal'>,
) => Promise<ToolOutput>;
