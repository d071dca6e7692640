/**
 * Defines tools: built-in and extra tools, client operations, modules, MCP guests and sub-agents all have this
 * interface.
 */
import type {
  Effect,
  Effort,
  ImageMediaType,
  JsonObject,
  KernelName,
  PlanTask,
  TurnContext,
} from '@chat-kernel/protocol';
import type { LearnedFrom, TurnKey } from './feature.ts';
import type { Hands, LocalOperation, Permitted } from './machine.ts';
import type { ToolDeclaration } from './model.ts';
import type { NewRequest, OwnerQuestion, RequestEnding, RequestHandle } from './request.ts';
import type { ChatRecord, HeldChat } from './store/chats.ts';
import type { FileRecord } from './store/files.ts';
import type { TurnParameters } from './store/turns.ts';

export interface ToolOutput {
  output: string;
  is_error?: boolean;
  /** The call was not run, and would be refused again: its input is invalid, or a policy forbids it. */
  refused?: true;
  /** Ends the turn after this call. */
  ends_turn?: boolean;
  /** The sources of text in the output that the owner did not write; replaces the source of the tool. */
  outside?: readonly string[];
  /** Images that the model sees with the result, and users at their addresses. */
  images?: readonly ToolImage[];
}

/** The output of a call that failed. @param output a sentence for the model */
export const failure = (output: string): ToolOutput => ({ output, is_error: true });

export interface ToolImage {
  media_type: ImageMediaType;
  bytes: Uint8Array;
}

/** A task for a sub-agent, which has a separate context. */
export interface AgentJob {
  name: string;
  task: string;
  /** Names of tools or groups; absent: all that a sub-agent can have. */
  tools?: readonly string[];
  /** Called with a short text whenever the sub-agent does something new. */
  onStep(doing: string): void;
}

/** An external action that a module is about to perform, such as sending a mail. */
export interface OutsideAct {
  /** The full name of the tool. */
  action: string;
  /** Field → its text: everything that the user decides about. */
  shown: Readonly<Record<string, string>>;
}

/** Tools that belong together. */
export interface ToolGroup {
  name: string;
  /** A phrase by which a model decides whether it needs them. */
  about: string;
}

/** The context of a call from the moment that it is shown, before it runs. */
export interface BeginContext {
  turn_id: string;
  call_id: string;
  /** The sender and surface of the turn, in the form that modules get (MOD-5). */
  turn_context: TurnContext;
  /** Sends a request to the client; the turn ends requests that are still open. */
  request(opening: NewRequest): RequestHandle;
}

export interface ToolContext extends BeginContext {
  turn: TurnKey;
  readonly chat: ChatRecord;
  parameters: TurnParameters;
  sender: string | undefined;
  /** The client's machine if the call works on it; null: it works on the kernel's. */
  hands: Hands | null;
  /**
   * Asks the user before an operation of the kernel's own machine, if a rule requires it (WHO-6, CONSENT-3); resolves
   * when it is permitted.
   * @throws OperationError with text for the model
   */
  consent(operation: LocalOperation): Promise<Permitted>;
  /**
   * Asks the user before an external action, in every chat and each time; resolves when it is permitted.
   * @param unwanted aborted when nothing waits for the answer
   * @throws OperationError with text for the model
   */
  consentToAct(act: OutsideAct, unwanted: AbortSignal): Promise<void>;
  /**
   * Records that the call is about to change a file of the kernel's machine; resolves with the id under which its
   * previous state must be stored.
   */
  noteEdit(path: string): Promise<string>;
  /**
   * Asks the user during the call; the model does not see this. Rejects if the turn is over.
   * @param signal aborted when nothing waits for the answer
   */
  askOwner(question: OwnerQuestion, signal: AbortSignal): Promise<RequestEnding>;
  /** An uploaded file; undefined if the id is unknown or its bytes are deleted. */
  uploadedFile(id: string): Promise<{ file: FileRecord; bytes: AsyncIterable<Uint8Array> } | undefined>;
  /** Aborted when the turn ends before the call does. */
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Shows a snapshot of the call's progress, which replaces the previous one and is never stored. */
  progress(output: string): void;
  /** Raises the effort for the rest of the turn (EFF-2); returns the level, or null if it was raised before. */
  raiseEffort(): Effort | null;
  /** Stores the whole plan of the chat and shows it. */
  setPlan(tasks: PlanTask[]): Promise<void>;
  /** Records that the chat has changed: later calls of the turn get the new record. */
  chatUpdated(chat: ChatRecord): void;
  /** The chat as writes of the call name it. */
  held: HeldChat;
  /** The fingerprint of a feature's state that the model knows; undefined: it has never seen one. */
  knownState(feature: string): Promise<string | undefined>;
  /** Records that the model knows this state of a feature from the result of the call. */
  noteState(feature: string, fingerprint: string): void;
  /** Sets the working directory of the chat on the machine that the call works on, also for later calls of the turn. */
  setWorkdir(workdir: string | null): Promise<void>;
  /**
   * Loads an on-demand group for the chat and for the next steps of the turn (BT-11); returns the names of its tools.
   * Throws with a sentence for the model if there is no such group to load.
   */
  loadTools(group: string): Promise<string[]>;
  /**
   * Puts the turn to sleep until it is woken or the time (RFC 3339) has come; returns the sentence for the model.
   * Throws if the turn already sleeps.
   */
  sleep(until: string | null, reason: string | null): Promise<string>;
  /** Runs a sub-agent on a task to its end (BT-10); its last text is the output. Rejects only if aborted. */
  runAgent(job: AgentJob): Promise<ToolOutput>;
}

export interface Tool extends ToolDeclaration {
  group: string;
  /** An emoji, or the name of an icon, that clients show. */
  icon: string;
  trusted_only: boolean;
  /** Only turns of the master get the tool. */
  master_only?: true;
  /**
   * A restricted tool with the same name, for turns whose speaker may not have this one. There is none if the user's
   * policy names the tool or its group.
   */
  lesser?: Tool;
  client_only: boolean;
  /** The tool works on a machine, the kernel's or a client's: not for turns that may use none (WHO-5). */
  on_machine?: true;
  /** The replacement for such turns, if part of the tool needs no machine. */
  off_machine?: Tool;
  /** The tool is not offered until its group is loaded in the chat. */
  on_demand: boolean;
  source: 'builtin' | 'extra' | 'module' | 'mcp';
  /** False if the module or server is down: calls then fail with that reason. */
  available?: boolean;
  /** The kernel that runs the module or server, if several share the database. */
  kernel?: KernelName;
  /** The possible effects of a call (CONSENT-2). Empty: it changes nothing beyond the chat. */
  effects: readonly Effect[];
  /** The possible effects of a call with this input, if they are fewer than `effects`. */
  effectsOf?(input: JsonObject): readonly Effect[];
  /** The module of the tool declares no effects. In its own conversation, the tool is assumed to answer there. */
  assumed_effects?: true;
  /** The tool asks about each of its operations itself, so its calls as a whole do not ask. */
  asks_itself?: true;
  /** The commands or paths of a call, for one decision about all of them (HANDS-7). */
  operationsOf?(input: JsonObject): readonly string[];
  /** The settings require a question before each call. */
  asks?: true;
  /** The source of text in the results that the owner did not write, such as `mcp:github` (CONSENT-4). */
  outside?: string;
  /** The tool changes something outside the chat, which a rewind does not undo. */
  outside_effect: boolean;
  /** The tool needs a client that can show questions, instead of one with hands. */
  asks_questions?: true;
  /** The tool loads on-demand groups: offered only if there are some. */
  loads_groups?: true;
  /**
   * The maximum number of concurrent calls in a turn, including its sub-agents; further ones wait (SAFE-6). Absent: any
   * number.
   */
  at_once?: number;
  /** The tool acts on the chat itself, or asks its users: not for sub-agents. */
  lead_only?: true;
  /**
   * Begins a call when it is shown, before its step is complete: for requests that clients may answer as soon as they
   * see them. `input` is shown and stored instead of the model's; the call then waits for `output`, which never
   * rejects, and does not run. Null: there is nothing to begin.
   */
  begin?(input: JsonObject, context: BeginContext): { input: JsonObject; output: Promise<ToolOutput> } | null;
  /**
   * Called instead of `run` if no answer to the request for consent came in time (CONSENT-4). Returns a sentence for the
   * model if the tool keeps the call for the owner in some way; undefined otherwise.
   */
  unanswered?(input: JsonObject, source: LearnedFrom): Promise<string | undefined>;
  /**
   * Runs one call. Invalid input, and anything thrown, becomes an error that the model reads. The calls of one step run
   * concurrently.
   */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutput>;
}
