/** A tool is a tool: built-in, extra, client operation, module, MCP guest and sub-agent all look like this. */
import type { Effort, JsonObject, PlanTask } from '@chat-kernel/protocol';
import type { ToolDeclaration } from './model.ts';
import type { ChatRecord, TurnParameters } from './record.ts';
import type { OpenRequest, RequestOpening } from './request.ts';

export interface ToolOutput {
  output: string;
  is_error?: boolean;
  /** The turn closes after this call. */
  ends_turn?: boolean;
}

/** What a call may do as soon as it is told. */
export interface BeginContext {
  turn_id: string;
  call_id: string;
  /** Asks the client; the turn ends all that it left open. */
  request(opening: RequestOpening): OpenRequest;
}

/** What a call may know and do. */
export interface ToolContext extends BeginContext {
  chat: ChatRecord;
  parameters: TurnParameters;
  sender: string | undefined;
  /** Aborted when the turn ends before the call does. */
  signal: AbortSignal;
  /** Shows a snapshot of what the call does; replaces the one before; never stored. */
  progress(output: string): void;
  /** Raises the effort for the rest of the turn (EFF-2); answers the level, or null where it was raised before. */
  raiseEffort(): Effort | null;
  /** Stores the whole plan of the chat and shows it. */
  setPlan(tasks: PlanTask[]): Promise<void>;
  /** Sets the working directory of the chat on the kernel's machine; later calls of the turn have it too. */
  setWorkdir(workdir: string | null): Promise<void>;
}

export interface Tool extends ToolDeclaration {
  group: string;
  /** One emoji or a name of an icon; clients draw it. */
  icon: string;
  trusted_only: boolean;
  client_only: boolean;
  on_demand: boolean;
  /** It changes something outside the chat, which a rewind does not undo. */
  outside_effect: boolean;
  /** It needs a client that can show questions, in place of one with hands. */
  asks_questions?: true;
  /**
   * Begins a call in the moment it is told, before its step is whole: for what clients may answer as soon as they
   * see it. `input` is told and stored in place of the model's; the call then waits for `output`, which never
   * rejects, and does not run. Null: there is nothing to begin.
   */
  begin?(input: JsonObject, context: BeginContext): { input: JsonObject; output: Promise<ToolOutput> } | null;
  /**
   * Runs one call. Input that does not fit, and anything thrown, becomes an error the model reads.
   * Calls of one step run side by side.
   */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutput>;
}
