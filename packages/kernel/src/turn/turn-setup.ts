/** The chat, the model and the tools of a run, found when it begins. */
import type {
  AgentJob,
  ChatRecord,
  LanguageModel,
  Skill,
  Tool,
  ToolContext,
  ToolOutput,
} from '../ports/index.ts';
import type { OnDemandGroup } from '../toolbox/toolbox.ts';

export interface TurnSetup {
  chat: ChatRecord;
  model: LanguageModel;
  tools: ReadonlyMap<string, Tool>;
  /** Skills that the model can open. */
  skills: readonly Skill[];
  /** Groups of tools that the model can load. */
  onDemand: readonly OnDemandGroup[];
  /** The prompt before any message. */
  system: string;
  /** The same for sub-agents, which load no groups. */
  agent_system: string;
  /** The name of the speaker; undefined where the master speaks. */
  sender: string | undefined;
  /** Loads a group as `ToolContext` says, and changes this setup. */
  loadTools(group: string): Promise<string[]>;
  /** @param call the id, the signal and the trace of the call that sets it to work */
  runAgent(job: AgentJob, call: Pick<ToolContext, 'signal' | 'trace' | 'call_id'>): Promise<ToolOutput>;
  /**
   * Makes the next request fit; returns whether there is more room now.
   * @param options.refused true where the provider refused the last request as too long
   */
  makeRoom(options?: { refused: boolean }): Promise<boolean>;
}
