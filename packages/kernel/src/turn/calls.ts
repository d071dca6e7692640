/** Runs the calls of one step concurrently; each gets exactly one result. */
import { abortable, Semaphore } from '@chat-kernel/base';
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { isHomeUnreachable, unreachableText } from '../chats/chats.ts';
import { sourceOf } from '../client-machine/consent.ts';
import { noteOutside } from '../consent/outside.ts';
import type { KnownState } from '../history/known-state.ts';
import {
  failure,
  isOfMaster,
  OperationError,
  type Store,
  type Tool,
  type ToolContext,
  type ToolOutput,
  Unanswered,
} from '../ports/index.ts';
import { inputRefusal } from '../toolbox/input-schema.ts';
import { requestCallConsent } from './machines.ts';
import type { Call } from './model-request.ts';
import type { RepeatedCalls } from './repeated-calls.ts';
import type { Run } from './running-turn.ts';
import { type Passed, passCall, passResult } from './stages.ts';
import { type CallScope, toolContext } from './tool-context.ts';
import { renderImageMarker, shownImages } from './tool-images.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/**
 * Runs all calls of a step; returns whether one of them ends the turn. Rejects if the turn must end.
 * @param repeats receives the calls that were refused
 */
export async function runCalls(
  run: Run,
  setup: TurnSetup,
  calls: readonly Call[],
  services: TurnServices,
  repeats: RepeatedCalls,
): Promise<boolean> {
  // The turn may have been ended while its calls were being stored.
  run.signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const step = new AbortController();
  const running = calls.map(async call => {
    const told: KnownState = {};
    const {
      output,
      is_error = false,
      ends_turn = false,
      images = [],
      blocked,
      refused = false,
    } = await services.observer.call(run, { id: call.id, tool: setup.tools.get(call.name) }, () =>
      runCall(run, setup, call, { told, signal: step.signal }, services),
    );
    if (blocked !== undefined) run.turn.calls.blocked.push(blocked);
    if (refused || (call.denied && is_error)) repeats.refused(call, output);
    const shown = await shownImages(images, call.id, run, services);
    run.step.result(call.id, [output, ...shown.map(renderImageMarker)].join('\n'), is_error, {
      told,
      images: shown,
      // A result of a sub-agent is not stored, so its sources go to the call that started it.
      outside: run.agent === undefined ? [...new Set(run.turn.calls.unmarked.splice(0))] : [],
    });
    // The other calls of the step get the synthetic result when the turn closes.
    if (ends_turn && !is_error) resolve(true);
  });
  Promise.all(running).then(() => resolve(false), reject);
  return abortable(promise, run.signal).finally(() => {
    // Stops calls that are still running, regardless of the reason.
    step.abort();
  });
}

/** Runs one call. Never throws: every failure becomes an error that the model can read. */
async function runCall(
  run: Run,
  setup: TurnSetup,
  call: Call,
  scope: CallScope,
  services: TurnServices,
): Promise<Passed> {
  const { signal } = scope;
  const tool = setup.tools.get(call.name);
  if (tool === undefined) return refusal(noTool(call.name, setup));
  if (call.invalid !== undefined) {
    return refusal(
      `The input of ${call.name} was not a JSON object. Call it again with an object that matches its schema.`,
    );
  }
  if (tool.on_machine && isHomeUnreachable(setup.chat, services.store))
    return refusal(unreachableText(setup.chat));
  try {
    const context = toolContext(run, setup, call, scope, services);
    // Modules read results, and do not get the secrets of the kernel.
    const redacted = <Result extends ToolOutput>(result: Result): Result => ({
      ...result,
      output: services.secrets.redact(result.output),
    });
    // Modules that check the call may have changed its input.
    const runTool = async (input: JsonObject) => {
      call.checked = input;
      const isChecked = call.matches && input === call.input;
      const invalid = isChecked ? undefined : inputRefusal(tool, input);
      if (invalid !== undefined) return invalid;
      // Noted before the question, because the call may keep or send what it reads.
      noteSources(run, await sourcesOfNamedFiles(input, setup.sender, services.store));
      return (
        (await consentRefusal(run, setup, { tool, input, context }, services)) ??
        redacted(await runLimited(tool, run, () => runNoting(tool, input, run, context), signal))
      );
    };
    // The call began when it was shown, after the modules had checked it.
    if (call.output !== undefined) {
      return await passResult(call.name, redacted(await call.output), context, services.stages);
    }
    if (call.passed) return await passResult(call.name, await runTool(call.input), context, services.stages);
    return await passCall(call, context, services.stages, runTool);
  } catch (error) {
    // The tool stopped because it was canceled.
    if (signal.aborted) return failure(UNFINISHED_RESULT);
    // The message may quote what the tool read, which is for the model and must not be logged.
    services.log.warn(
      { tool: call.name, turn_id: run.turn.record.id, error: errorName(error) },
      'a tool failed',
    );
    return failure(`${call.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The result for the model if the owner does not permit a call; undefined if it may run. */
async function consentRefusal(
  run: Run,
  setup: TurnSetup,
  { tool, input, context: { request } }: { tool: Tool; input: JsonObject; context: ToolContext },
  services: TurnServices,
): Promise<ToolOutput | undefined> {
  const { turn } = run;
  try {
    await requestCallConsent(run, setup, services, { request }, { tool, input });
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const isUnanswered = error instanceof Unanswered && !turn.signal.aborted;
    const { id, outside } = turn.record;
    const source = { ...turn.held, turn_id: id, outside };
    const kept = isUnanswered ? await tool.unanswered?.(input, source) : undefined;
    return failure(kept === undefined ? error.message : `${error.message} ${kept}`);
  }
}

/** Runs a tool, and notes the source of its result if the owner did not write it. */
async function runNoting(tool: Tool, input: JsonObject, run: Run, context: ToolContext): Promise<ToolOutput> {
  const source = sourceOf(tool, input);
  // The text of an error is from there, too.
  let sources: readonly string[] = source === undefined ? [] : [source];
  try {
    const result = await tool.run(input, context);
    sources = result.outside ?? sources;
    return result;
  } finally {
    noteSources(run, sources);
  }
}

function noteSources({ turn }: Pick<Run, 'turn'>, sources: readonly string[]): void {
  noteOutside(turn.record, sources);
  turn.calls.unmarked.push(...sources);
}

/** Runs a tool. If the tool has a concurrency limit within a turn, waits for a free slot. */
function runLimited(
  { name, at_once }: Tool,
  { turn }: Run,
  work: () => Promise<ToolOutput>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (at_once === undefined) return work();
  const places = turn.calls.places.get(name) ?? new Semaphore(at_once);
  turn.calls.places.set(name, places);
  return places.run(work, signal);
}

function noTool(name: string, { tools, onDemand }: TurnSetup): string {
  const group = onDemand.find(({ tools: members }) => members.includes(name));
  if (group) return `${name} is not loaded: call load_tools with the group ${group.name} first.`;
  return `There is no tool ${name}. Tools: ${[...tools.keys()].join(', ')}.`;
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const refusal = (output: string): ToolOutput => ({ output, is_error: true, refused: true });

/** Ids of uploads are in addresses (`file:ID`), in paths (`files/ID/NAME`), and in fields. */
const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const MAX_IDS = 50;

/**
 * The sources of a call that may read such files.
 * @param speaker the sender of the turn, whose own files do not count
 */
async function sourcesOfNamedFiles(
  input: JsonObject,
  speaker: string | undefined,
  store: Pick<Store, 'files' | 'messages'>,
): Promise<string[]> {
  const ids = new Set(JSON.stringify(input).match(ID));
  const sources: string[] = [];
  for (const id of [...ids].slice(0, MAX_IDS)) {
    if (await isOfOther(id, speaker, store)) sources.push(`file:${id}`);
  }
  return sources;
}

async function isOfOther(
  id: string,
  speaker: string | undefined,
  { files, messages }: Pick<Store, 'files' | 'messages'>,
): Promise<boolean> {
  for (const { chat_id, message_id } of await files.listUses(id)) {
    const message = await messages.get(chat_id, message_id);
    if (message !== undefined && !isOfMaster(message) && message.sender !== speaker) return true;
  }
  return false;
}
