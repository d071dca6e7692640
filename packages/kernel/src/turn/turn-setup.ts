/** Defines the chat, the model and the tools of a run, found when it begins. */
import type { AgentJob, ChatRecord, LanguageModel, Tool, ToolContext, ToolOutput } from '../ports/index.ts';
import type { OnDemandGroup } from '../toolbox/toolbox.ts';

/** A part of the system prompt, named for users. */
export interface PromptPart {
  /** The subject of a sentence. */
  subject: string;
  isPlural: boolean;
  /** The beginning of a sentence that tells the user how to make it smaller; continued after a comma. */
  advice: string;
  text: string;
}

export interface TurnSetup {
  chat: ChatRecord;
  model: LanguageModel;
  tools: ReadonlyMap<string, Tool>;
  /** Groups of tools that the model can load. */
  onDemand: readonly OnDemandGroup[];
  /** The prompt before any message. */
  system: string;
  /** The parts of `system`, in its order. */
  prompt_parts: readonly PromptPart[];
  /** The same as `system` for sub-agents, which load no groups. */
  agent_system: string;
  /** The name of the speaker; undefined if it is the master. */
  sender: string | undefined;
  /** Loads a group as described at `ToolContext`, and changes this setup. */
  loadTools(group: string): Promise<string[]>;
  /** @param call the id and the signal of the call that starts the sub-agent */
  runAgent(job: AgentJob, call: Pick<ToolContext, 'signal' | 'call_id'>): Promise<ToolOutput>;
  /**
   * Reduces the context so that the next request fits; returns whether it is smaller now.
   * @param options.refused true if the provider rejected the last request as too long
   */
  makeRoom(options?: { refused: boolean }): Promise<boolean>;
}
