/** The definition of a module: its name, tools, stages, and the work that it does by itself. */
import type { KernelClient } from '@chat-kernel/client';
import type { StageName, StagePayload, ToolDecl, TurnContext } from '@chat-kernel/protocol';
import type { z } from 'zod';
import type { StageAnswer, ToolAnswer } from './answers.ts';
import type { Logger } from './logger.ts';

/** The context of all handlers. */
export interface RunContext {
  /** The HTTP API of the kernel (MOD-10). */
  kernel: KernelClient;
  /** Aborted when the result is of no use any more: the call was cancelled, the kernel is gone, or the module stops. */
  signal: AbortSignal;
  log: Logger;
}

export interface StageContext extends RunContext {
  /** The person and the chat that the call belongs to (MOD-5). */
  context: TurnContext;
}

export interface CallContext extends StageContext {
  call_id: string;
  /** Shows the progress of the call; each output replaces the one before. */
  progress(output: string): void;
  /**
   * Asks the owner before something is done outside, and resolves with the yes, which counts for this alone. The time of
   * the call rests meanwhile.
   * @param shown field → its text: all of what would be done, as the owner is to read it
   * @throws ToolError in words for the model: the owner says no, or nothing
   */
  consent(shown: Readonly<Record<string, string>>): Promise<void>;
}

/** The fields of a tool besides its name, which is its key in the definition. */
type DeclaredFields = Omit<ToolDecl, 'name' | 'input_schema'>;

export interface ModuleTool extends DeclaredFields {
  /** Undefined: the tool has no arguments. */
  input: z.ZodObject | undefined;
  run(input: unknown, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

interface ToolDefinition<Input extends z.ZodObject> extends DeclaredFields {
  /** The model reads the texts of `describe` and may leave out optional fields. */
  input?: Input;
  /** @param input as the schema has parsed it */
  run(input: z.output<Input>, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

/** Defines a tool. Input that does not fit never reaches `run`: the model reads what is wrong and calls again (MOD-6). */
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
  /** A letter, then letters, digits, _ and -; the kernel puts it before the names of the tools (MOD-3). */
  name: string;
  version: string;
  /** A phrase about the purpose of the tools, by which the model decides whether to load them (MOD-4). */
  about: string;
  icon?: string;
  /** Short name → tool. */
  tools?: Record<string, ModuleTool>;
  stages?: { [Name in StageName]?: StageDefinition<Name> };
  /** Begins the work that the module does by itself, such as a surface. Called once, when the kernel is ready (MOD-11). */
  start?(context: RunContext): Promise<void> | void;
}

export const defineModule = (definition: ModuleDefinition): ModuleDefinition => definition;
