/** Adapts a tool of a module to the kernel's type of tools (MOD-3, MOD-5, MOD-6, MOD-9). */
import { Throttle } from '@chat-kernel/base';
import { INVALID_PARAMS, PeerDisconnectedError, RpcError } from '@chat-kernel/json-rpc';
import { type Clock, consentResult, type ExtensionTool, failure, schemaMistake } from '@chat-kernel/kernel';
import type { InitializeResult, ToolDecl } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { parseToolOutput } from './tool-output.ts';

/** Longest name that all providers accept. */
const MAX_NAME_CHARS = 64;
const TIMEOUT_SECS = 120;
const ICON = '🧩';
const PROGRESS_EVERY_MS = 250;
const PROGRESS_CHARS = 8192;
/** Longest error message of a module for the model, in characters. */
const MAX_SENTENCE = 10_000;
const NO_ARGUMENTS = { type: 'object', properties: {} };

export const fullName = (module: string, tool: string): string => `${module}_${tool}`;

/** Returns why a tool cannot be used, as a sentence; undefined if it can. */
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
): ExtensionTool {
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
    // The kernel cannot know the effects of a call to a module.
    outside_effect: true,
    effects: declared.effects ?? ['send'],
    ...(declared.effects === undefined && { assumed_effects: true }),
    ...(declared.asks && { asks_itself: true }),
    ...(declared.outside && { outside: `module:${module.name}` }),
    async run(input, context) {
      if (!module.approved) return failure(`The module ${module.name} is no longer approved.`);
      const { session } = module;
      if (!session) return failure(`The module ${module.name} is not running: ${module.problem}.`);
      // The feed keeps every snapshot while the turn runs: fewer of them need less memory.
      const progress = new Throttle(PROGRESS_EVERY_MS, clock, context.progress);
      try {
        const answer = await session.callTool({
          name,
          input,
          context: context.turn_context,
          timeoutMs: timeout_secs * 1000,
          signal: context.signal,
          onProgress: output => progress.put(truncateStart(output)),
          onConsent: (shown, over) => consentResult(context.consentToAct({ action: full, shown }, over)),
        });
        const output = parseToolOutput(answer, shape => module.reportUnread(shape));
        return { ...output, ends_turn: ends_turn && !output.is_error };
      } catch (error) {
        // The reason of the signal explains more than the error of the call.
        context.signal.throwIfAborted();
        const misfit = error instanceof RpcError && error.code === INVALID_PARAMS;
        return { ...failure(sentenceFor(full, error as Error)), ...(misfit && { refused: true }) };
      } finally {
        progress.stop();
      }
    },
  };
}

function sentenceFor(full: string, error: Error): string {
  const message = cutText(error.message, MAX_SENTENCE);
  if (error instanceof RpcError && error.code === INVALID_PARAMS)
    return `The input does not match the schema: ${message}`;
  if (error instanceof PeerDisconnectedError)
    return `${full} failed: the module disconnected before it answered: ${message}.`;
  return `${full} failed: ${message}`;
}

const truncateStart = (output: string): string =>
  output.slice(-PROGRESS_CHARS).replace(/^[\udc00-\udfff]/, '');
