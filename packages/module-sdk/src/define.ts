/** What a module is: a name, tools, stages, and what it does by itself. */
import type { KernelClient } from '@chat-kernel/client';
import type { StageName, StagePayload, ToolDecl, TurnContext } from '@chat-kernel/protocol';
import type { z } from 'zod';
import type { StageAnswer, ToolAnswer } from './answer.ts';
import type { Log } from './log.ts';

/** What a module can use whenever it runs. */
export interface RunContext {
  /** The HTTP API of the kernel (MOD-10). */
  kernel: KernelClient;
  /** Aborted when nobody waits any more: the call was cancelled, the kernel is gone, or the module stops. */
  signal: AbortSignal;
  log: Log;
}

export interface StageContext extends RunContext {
  /** Who asks, and in which chat (MOD-5). */
  context: TurnContext;
}

export interface CallContext extends StageContext {
  call_id: string;
  /** Shows how far it is; each replaces the one before. */
  progress(output: string): void;
}

/** What is said of a tool besides its name, which is its key. */
type Declared = Omit<ToolDecl, 'name' | 'input_schema'>;

export interface Tool extends Declared {
  /** None: a tool without arguments. */
  input: z.ZodObject | undefined;
  run(input: unknown, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

interface ToolDefinition<Input extends z.ZodObject> extends Declared {
  /** Texts of `describe` become descriptions for the model; optional fields are not required. */
  input?: Input;
  /** Gets what `input` made of what the model wrote. */
  run(input: z.output<Input>, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

/** Input that does not fit never gets to `run`: the model reads what is wrong, and calls again (MOD-6). */
export function tool<Input extends z.ZodObject = z.ZodObject>({
  input,
  ...rest
}: ToolDefinition<Input>): Tool {
  // The session parses with `input` before it runs.
  return { ...rest, input } as Tool;
}

export interface Stage<Name extends StageName> {
  /** What a failure or a timeout means; default `pass`. */
  on_error?: 'pass' | 'block';
  timeout_secs?: number;
  run(payload: StagePayload<Name>, context: StageContext): StageAnswer<Name> | Promise<StageAnswer<Name>>;
}

export interface ModuleDefinition {
  /** A letter, then letters, digits, _ and -; the kernel puts it before the names of the tools (MOD-3). */
  name: string;
  version: string;
  /** A phrase: what the tools are for. By it the model decides whether to load them (MOD-4). */
  about: string;
  icon?: string;
  /** By short name. */
  tools?: Record<string, Tool>;
  stages?: { [Name in StageName]?: Stage<Name> };
  /** What it does by itself, such as driving a surface; called once, when the kernel takes work (MOD-11). */
  start?(context: RunContext): Promise<void> | void;
}
export type Module = Readonly<ModuleDefinition>;

export const defineModule = (definition: ModuleDefinition): Module => definition;
