/** A tool of a module as a tool like all others (MOD-3, MOD-5, MOD-6, MOD-9). */
import { type Clock, schemaMistake, type Tool, type ToolOutput } from '@chat-kernel/kernel';
import { cutText, INVALID_PARAMS, type InitializeResult, type ToolDecl } from '@chat-kernel/protocol';
import { LinkLost, RpcError } from '../../jsonrpc/index.ts';
import { outputOf } from './tool-output.ts';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { Latest } from '../../pace/throttle.ts';

/** Providers take no longer names. */
const MAX_NAME_CHARS = 64;
const TIMEOUT_SECS = 120;
const ICON = '🧩';
const PROGRESS_EVERY_MS = 250;
const PROGRESS_CHARS = 8192;
/** Of a sentence that a module says about its failure. */
const MAX_SENTENCE = 10_000;
const NO_ARGUMENTS = { type: 'object', properties: {} };

export const fullName = (module: string, tool: string): string => `${module}_${tool}`;

/** Why a tool cannot be offered, as a sentence; undefined where it can. */
export function toolMistake(module: string, { name, input_schema }: ToolDecl): string | undefined {
  const full = fullName(module, name);
  if (full.length > MAX_NAME_CHARS) return `the name ${full} has more than ${MAX_NAME_CHARS} characters`;
  return input_schema && schemaMistake(input_schema);
}

export function moduleTool(
  module: HostedModule,
  { icon }: InitializeResult,
  declared: ToolDecl,
  clock: Clock,
): Tool {
  const { name, description, ends_turn = false, timeout_secs = TIMEOUT_SECS } = declared;
  const { trusted_only = false, client_only = false, on_demand = false } = declared;
  const { $schema: _, ...schema } = declared.input_schema ?? {};
  const full = fullName(module.name, name);
  return {
    name: full,
    description,
    input_schema: { ...NO_ARGUMENTS, ...schema },
    group: module.name,
    icon: declared.icon ?? icon ?? ICON,
    trusted_only,
    client_only,
    on_demand,
    source: 'module',
    available: module.session !== undefined,
    // What a module does with a call is not known here.
    outside_effect: true,
    async run(input, context) {
      if (!module.approved) return failure(`The module ${module.name} is not approved any more.`);
      const { session } = module;
      if (!session) return failure(`The module ${module.name} is not running: ${module.problem}.`);
      // Every snapshot is kept as long as its turn runs, so those of a busy module come less often.
      const shown = new Latest(PROGRESS_EVERY_MS, clock, context.progress);
      try {
        const answer = await session.callTool({
          name,
          input,
          context: context.turn_context,
          timeoutMs: timeout_secs * 1000,
          signal: context.signal,
          onProgress: output => shown.put(endOf(output)),
        });
        const output = outputOf(answer);
        return { ...output, ends_turn: ends_turn && !output.is_error };
      } catch (error) {
        // Whoever stopped it knows why.
        context.signal.throwIfAborted();
        return failure(sentenceFor(full, error as Error));
      } finally {
        shown.stop();
      }
    },
  };
}

function sentenceFor(full: string, error: Error): string {
  const message = cutText(error.message, MAX_SENTENCE);
  if (error instanceof RpcError && error.code === INVALID_PARAMS) return `The input does not fit: ${message}`;
  if (error instanceof LinkLost)
    return `${full} failed: the module went away before it answered: ${message}.`;
  return `${full} failed: ${message}`;
}

const endOf = (output: string): string => output.slice(-PROGRESS_CHARS).replace(/^[\udc00-\udfff]/, '');

const failure = (output: string): ToolOutput => ({ output, is_error: true });
