/** Defines the chat, the model and the tools of a run, found when it begins. */
import type { AgentJob, ChatRecord, LanguageModel, Tool, ToolContext, ToolOutput } from '../ports/index.ts';
import type { OnDemandGroup } from '../toolbox/toolbox.ts';

export interface TurnSetup {
  chat: ChatRecord;
  model: LanguageModel;
  tools: ReadonlyMap<string, Tool>;
  /** Groups of tools that the model can load. */
  onDemand: readonly OnDemandGroup[];
  /** The prompt before any message. */
  system: string;
  /** The same for sub-agents, which load no groups. */
  agent_system: string;
  /** The name of the speaker; undefined if it is the master. */
  sender: string | undefined;
  /** Loads a group as described at `ToolContext`, and changes this setup. */
  loadTools(group: string): Promise<string[]>;
  /** @param call the id, the signal and the trace of the call that starts the sub-agent */
  runAgent(job: AgentJob, call: Pick<ToolContext, 'signal' | 'trace' | 'call_id'>): Promise<ToolOutput>;
  /**
   * Reduces the context so that the next request fits; returns whether it is smaller now.
   * @param options.refused true if the provider rejected the last request as too long
   */
  makeRoom(options?: { refused: boolean }): Promise<boolean>;
}
