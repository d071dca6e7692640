/** Defines a module: its name, tools, stages, and its background work. */
import type { KernelClient } from '@chat-kernel/client';
import type {
  QuestionParams,
  StageName,
  StagePayload,
  ToolDecl,
  TurnContext,
  UploadedFile,
} from '@chat-kernel/protocol';
import type { z } from 'zod';
import type { StageAnswer, ToolAnswer } from './answers.ts';
import type { Logger } from './logger.ts';

/** The context of all handlers. */
export interface RunContext {
  /** The HTTP API of the kernel (MOD-10). */
  kernel: KernelClient;
  /** Aborted when the result is not needed: the call was canceled, the kernel has disconnected, or the module stops. */
  signal: AbortSignal;
  log: Logger;
}

/**
 * Asks the owner, whom every client shows the question. Resolves with the label of an option, another text, or null if the
 * owner did not answer in time. @throws Error if no kernel is connected, or the connection ends before the answer
 */
export type AskOwner = (question: QuestionParams) => Promise<string | null>;

export interface StartContext extends RunContext {
  ask: AskOwner;
}

export interface StageContext extends RunContext {
  /** The person and the chat of the call (MOD-5). */
  context: TurnContext;
}

export interface CallContext extends StageContext {
  call_id: string;
  /** Shows the progress of the call; each output replaces the previous one. */
  progress(output: string): void;
  /**
   * Asks the owner to approve an external action, and resolves with the approval, which applies only to this action.
   * The time limit of the call is suspended until then.
   * @param shown field → its text: everything that would be done, as the owner should read it
   * @throws ToolError with a text for the model: the owner has declined, or has not answered
   */
  consent(shown: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Prepares files for sending them outside: copies them from the working directory or the uploads of the chat, and asks
   * the owner, who sees their names, sizes and paths. Resolves with the copies: send these, and no other bytes. Works
   * only in turns of the master.
   * @param shown as for `consent`, with the recipients in `to`
   * @param check throws a ToolError for a file that cannot be sent; then the owner is not asked
   * @throws ToolError with a text for the model
   */
  filesToSend(
    paths: readonly string[],
    shown: Readonly<Record<string, string>> & { readonly to: string },
    check?: (file: UploadedFile) => void,
  ): Promise<UploadedFile[]>;
}

/** The fields of a tool besides its name, which is its key in the definition. */
type DeclaredFields = Omit<ToolDecl, 'name' | 'input_schema'>;

export interface ModuleTool extends DeclaredFields {
  /** Undefined if the tool has no arguments. */
  input: z.ZodObject | undefined;
  run(input: unknown, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

interface ToolDefinition<Input extends z.ZodObject> extends DeclaredFields {
  /** The model reads the texts of `describe` and may omit optional fields. */
  input?: Input;
  /** @param input the output of the schema */
  run(input: z.output<Input>, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

/** Defines a tool. Invalid input never reaches `run`: the model reads the error and calls again (MOD-6). */
export function tool<Input extends z.ZodObject = z.ZodObject>({
  input,
  ...rest
}: ToolDefinition<Input>): ModuleTool {
  // The input is parsed with this schema before each run.
  return { ...rest, input } as ModuleTool;
}

export interface StageDefinition<Name extends StageName> {
  /** The effect of a failure or a timeout; default `pass`. */
  on_error?: 'pass' | 'block';
  timeout_secs?: number;
  run(payload: StagePayload<Name>, context: StageContext): StageAnswer<Name> | Promise<StageAnswer<Name>>;
}

export interface ModuleDefinition {
  /** A letter, then letters, digits, _ and -; the kernel uses it as prefix of the tool names (MOD-3). */
  name: string;
  version: string;
  /** A phrase about the purpose of the tools, by which the model decides whether to load them (MOD-4). */
  about: string;
  icon?: string;
  /** Short name → tool. */
  tools?: Record<string, ModuleTool>;
  stages?: { [Name in StageName]?: StageDefinition<Name> };
  /** Starts background work of the module, such as a surface. Called once, when the kernel is ready (MOD-11). */
  start?(context: StartContext): Promise<void> | void;
}

export const defineModule = (definition: ModuleDefinition): ModuleDefinition => definition;
