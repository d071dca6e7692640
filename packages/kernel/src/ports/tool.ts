/** A tool is a tool: built-in, extra, client operation, module, MCP guest and sub-agent all look like this. */
import type {
  CreateSchedule,
  DeletedSchedule,
  Effort,
  ImageMediaType,
  JsonObject,
  KernelName,
  PlanTask,
  Schedule,
  ScheduleList,
  TurnContext,
} from '@chat-kernel/protocol';
import type { Hands, OwnChange } from './machine.ts';
import type { ToolDeclaration } from './model.ts';
import type { PastChats } from './past-chats.ts';
import type { NewRequest, OwnerQuestion, RequestEnding, RequestHandle } from './request.ts';
import type { Shelf } from './shelf.ts';
import type { OpenedSkill } from './skills.ts';
import type { ChatRecord } from './store/chats.ts';
import type { FileRecord } from './store/files.ts';
import type { MemoryWish } from './store/memory.ts';
import type { TurnParameters } from './store/turns.ts';
import type { TraceContext } from './tracing.ts';

export interface ToolOutput {
  output: string;
  is_error?: boolean;
  /** The call was not run, and the same one would be refused again: its input does not fit, or a policy forbids it. */
  refused?: true;
  /** Ends the turn after this call. */
  ends_turn?: boolean;
  /** Images that the model sees with the result, and people at their addresses. */
  images?: readonly ToolImage[];
}

/** The output of a call that failed. @param output a sentence for the model */
export const failure = (output: string): ToolOutput => ({ output, is_error: true });

export interface ToolImage {
  media_type: ImageMediaType;
  bytes: Uint8Array;
}

/** A task for a sub-agent, which has a context of its own. */
export interface AgentJob {
  name: string;
  task: string;
  /** Names of tools or groups; absent: all that a sub-agent can have. */
  tools?: readonly string[];
  /** Called with a few words whenever the sub-agent does something new. */
  onStep(doing: string): void;
}

/** What a module is about to do outside of the kernel, such as sending a mail. */
export interface OutsideAct {
  /** The full name of the tool. */
  action: string;
  /** Field → its text, all of what the owner decides about. */
  shown: Readonly<Record<string, string>>;
}

/** Tools that belong together. */
export interface ToolGroup {
  name: string;
  /** A phrase by which a model decides whether it needs them. */
  about: string;
}

/** The schedules, as far as tools may see and change them. */
export interface ScheduleDesk {
  list(): Promise<ScheduleList>;
  /** When a schedule would be due first. @throws KernelError invalid_value */
  firstDue(wanted: Pick<CreateSchedule, 'cron' | 'at' | 'timezone'>): { next_at: string; timezone: string };
  /** @throws KernelError invalid_value, unknown_model */
  create(wanted: CreateSchedule): Promise<Schedule>;
  /** @throws KernelError not_found */
  delete(id: string): Promise<DeletedSchedule>;
}

/** The context of a call from the moment that it is shown, before it runs. */
export interface BeginContext {
  turn_id: string;
  call_id: string;
  /** The sender and surface of the turn, as modules get it (MOD-5). */
  turn_context: TurnContext;
  /** The owner's schedules. */
  schedules: ScheduleDesk;
  /** Sends a request to the client; the turn ends those that are still open. */
  request(opening: NewRequest): RequestHandle;
}

/** The context of a call that runs. */
export interface ToolContext extends BeginContext {
  chat: ChatRecord;
  parameters: TurnParameters;
  sender: string | undefined;
  /** The client's machine, where the call works on it; null: it works on the kernel's. */
  hands: Hands | null;
  /**
   * Asks the owner before the kernel's own machine is changed, where the chat says so (WHO-6); resolves when it may be.
   * @throws OperationError in words for the model
   */
  consent(change: OwnChange): Promise<void>;
  /**
   * Asks the owner before something is done outside of the kernel, in every chat and each time; resolves when it may be.
   * @param unwanted aborted when the answer is of no use any more
   * @throws OperationError in words for the model
   */
  consentToAct(act: OutsideAct, unwanted: AbortSignal): Promise<void>;
  /**
   * Notes that the call is about to change a file of the kernel's machine; resolves with the id under which its state
   * before is to be kept.
   */
  noteEdit(path: string): Promise<string>;
  /**
   * Asks the owner in mid-call; the model sees nothing of it. Rejects where the turn is over.
   * @param signal aborted when nobody waits for the answer any more
   */
  askOwner(question: OwnerQuestion, signal: AbortSignal): Promise<RequestEnding>;
  /** The books of the chat's shelf. */
  shelf: Shelf;
  /** An uploaded file; undefined where there is none of this id, or its bytes are gone. */
  uploadedFile(id: string): Promise<{ file: FileRecord; bytes: AsyncIterable<Uint8Array> } | undefined>;
  /** Aborted when the turn ends before the call does. */
  signal: AbortSignal;
  /** The trace that the call belongs to, for what it asks others. */
  trace: TraceContext | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Shows a snapshot of the call's progress, which replaces the one before and is never stored. */
  progress(output: string): void;
  /** Raises the effort for the rest of the turn (EFF-2); returns the level, or null where it was raised before. */
  raiseEffort(): Effort | null;
  /** Stores the whole plan of the chat and shows it. */
  setPlan(tasks: PlanTask[]): Promise<void>;
  /** Replaces the notebook of the chat by what `change` makes of its text; returns that. @throws what `change` throws */
  changeNotebook(change: (text: string) => string): Promise<string>;
  /**
   * Changes the memory, all as wished or not at all (MEM-2); returns the ids under which models know what was written,
   * and how full the memory is. @throws Error a sentence for the model
   */
  changeMemory(wish: MemoryWish): Promise<{ written: string[]; chars: number; max_chars: number }>;
  /** Opens a skill of the turn (SKILL-1). @throws Error a sentence for the model: there is none of this name */
  openSkill(name: string): Promise<OpenedSkill>;
  /** What was said in all chats (MEM-3). */
  pastChats: PastChats;
  /** Sets the working directory of the chat on the machine that the call works on; later calls of the turn have it too. */
  setWorkdir(workdir: string | null): Promise<void>;
  /**
   * Loads an on-demand group for the chat and for the next steps of the turn (BT-11); returns the names of its tools.
   * Throws a sentence for the model where there is no such group to load.
   */
  loadTools(group: string): Promise<string[]>;
  /**
   * Puts the turn to sleep until it is woken or the time (RFC 3339) has come; returns the sentence for the model.
   * Throws where it sleeps already.
   */
  sleep(until: string | null, reason: string | null): Promise<string>;
  /** Runs a sub-agent on a task to its end (BT-10); its last text is the output. Never rejects but when aborted. */
  runAgent(job: AgentJob): Promise<ToolOutput>;
}

export interface Tool extends ToolDeclaration {
  group: string;
  /** An emoji, or the name of an icon, that clients show. */
  icon: string;
  trusted_only: boolean;
  /** The tool is for turns of the master alone. */
  master_only?: true;
  /**
   * A lesser tool of this name, for turns whose speaker may not have this one. Where the owner's policy names the tool,
   * or its group, there is none.
   */
  lesser?: Tool;
  client_only: boolean;
  /** The tool works on a machine, the kernel's or a client's: not for turns that may touch none (WHO-5). */
  on_machine?: true;
  /** What such turns get in its place, where something of it needs no machine. */
  off_machine?: Tool;
  /** The tool is not offered until its group is loaded in the chat. */
  on_demand: boolean;
  source: 'builtin' | 'extra' | 'module' | 'mcp';
  /** False where the module or server is down: calls then fail with that reason. */
  available?: boolean;
  /** The kernel that runs the module or server, where several share the database. */
  kernel?: KernelName;
  /** The tool changes something outside the chat, which a rewind does not undo. */
  outside_effect: boolean;
  /** The tool needs a client that can show questions, in place of one with hands. */
  asks_questions?: true;
  /** The tool loads on-demand groups: offered where there are some. */
  loads_groups?: true;
  /** The calls that may run at once in a turn, its sub-agents included; further ones wait (SAFE-6). Absent: any number. */
  at_once?: number;
  /** The tool acts on the chat itself, or asks its people: not for sub-agents. */
  lead_only?: true;
  /**
   * Begins a call in the moment that it is shown, before its step is whole: for requests that clients may answer as
   * soon as they see them. `input` is shown and stored in place of the model's; the call then waits for `output`, which
   * never rejects, and does not run. Null: there is nothing to begin.
   */
  begin?(input: JsonObject, context: BeginContext): { input: JsonObject; output: Promise<ToolOutput> } | null;
  /**
   * Runs one call. Input that does not fit, and anything thrown, becomes an error the model reads.
   * Calls of one step run side by side.
   */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutput>;
}
