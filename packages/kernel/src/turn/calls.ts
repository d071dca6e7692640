/** The calls of one step: side by side, each with exactly one result. */
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { AtOnce } from '../base/at-once.ts';
import { awayWords, isAway } from '../chats/home.ts';
import type { KnownState } from '../history/known-state.ts';
import { failure, type Tool, type ToolOutput } from '../ports/index.ts';
import type { RepeatedCalls } from './repeated-calls.ts';
import type { Run } from './running-turn.ts';
import { inSpanOfCall } from './spans.ts';
import { type Passed, passCall, passResult } from './stages.ts';
import { type CallScope, toolContext } from './tool-context.ts';
import { markerOf, shownImages } from './tool-images.ts';
import type { Call } from './trip.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/**
 * Runs all calls of a step; returns whether one of them ends the turn. Rejects when the turn is to end.
 * @param repeats is told of the calls that were refused
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
  const giveUp = () => reject(run.signal.reason);
  run.signal.addEventListener('abort', giveUp);
  const running = calls.map(async call => {
    const told: KnownState = {};
    const {
      output,
      is_error = false,
      ends_turn = false,
      images = [],
      blocked,
      refused = false,
    } = await inSpanOfCall(run, call.id, setup.tools.get(call.name), services, trace =>
      runCall(run, setup, call, { told, signal: step.signal, trace }, services),
    );
    if (blocked !== undefined) run.turn.blocked.push(blocked);
    if (refused || (call.denied && is_error)) repeats.refused(call, output);
    const shown = await shownImages(images, call.id, run, services);
    run.step.result(call.id, [output, ...shown.map(markerOf)].join('\n'), is_error, { told, images: shown });
    // The siblings of a call that ends the turn get the synthetic result when the turn closes.
    if (ends_turn && !is_error) resolve(true);
  });
  Promise.all(running).then(() => resolve(false), reject);
  return promise.finally(() => {
    run.signal.removeEventListener('abort', giveUp);
    // Calls that still run, for whatever cause, are told to stop.
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
      `The input of ${call.name} was not a JSON object. Call it again with one that fits its schema.`,
    );
  }
  if (tool.on_machine && isAway(setup.chat, services.store)) return refusal(awayWords(setup.chat));
  try {
    const context = toolContext(run, setup, call, scope, services);
    const runTool = (input: JsonObject) => runOf(tool, run, () => tool.run(input, context), signal);
    // The call began when it was shown, behind the stage that judges calls.
    if (call.output !== undefined) {
      return await passResult(call.name, await call.output, context, services.stages);
    }
    if (call.passed) return await passResult(call.name, await runTool(call.input), context, services.stages);
    return await passCall(call, context, services.stages, runTool);
  } catch (error) {
    // The tool has stopped because it was told to.
    if (signal.aborted) return failure(UNFINISHED_RESULT);
    // The message may quote what the tool read, which is for the model and not for the log.
    services.log.warn(
      { tool: call.name, turn_id: run.turn.record.id, error: nameOf(error) },
      'a tool failed',
    );
    return failure(`${call.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs a tool; one that may run only so often at once in a turn waits for its place. */
function runOf(
  { name, at_once }: Tool,
  { turn }: Run,
  work: () => Promise<ToolOutput>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (at_once === undefined) return work();
  const places = turn.places.get(name) ?? new AtOnce(at_once);
  turn.places.set(name, places);
  return places.run(work, signal);
}

function noTool(name: string, { tools, onDemand }: TurnSetup): string {
  const group = onDemand.find(({ tools: members }) => members.includes(name));
  if (group) return `${name} is not loaded: call load_tools with the group ${group.name} first.`;
  return `There is no tool ${name}. Tools: ${[...tools.keys()].join(', ')}.`;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const refusal = (output: string): ToolOutput => ({ output, is_error: true, refused: true });
