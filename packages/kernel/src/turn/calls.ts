/** The calls of one step: side by side, each with exactly one result. */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { type ToolContext, type ToolOutput, timestamp } from '../ports/index.ts';
import { raise } from './effort.ts';
import { beginContext } from './requester.ts';
import type { Kit, RunningTurn, Workshop } from './running.ts';
import type { Call } from './trip.ts';

/** Runs all calls of a step; answers whether one of them ends the turn. Gives up when the turn is to end. */
export async function runCalls(
  turn: RunningTurn,
  kit: Kit,
  calls: readonly Call[],
  workshop: Workshop,
): Promise<boolean> {
  // The turn may have been ended while its calls were stored.
  turn.signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const step = new AbortController();
  const giveUp = () => reject(turn.signal.reason);
  turn.signal.addEventListener('abort', giveUp);
  const running = calls.map(async call => {
    const {
      output,
      is_error = false,
      ends_turn = false,
    } = await runCall(turn, kit, call, step.signal, workshop);
    turn.draft.result(call.id, output, is_error);
    // A result that waits for its siblings is on disk while it waits.
    if (turn.draft.openCalls > 0 && !turn.signal.aborted) await turn.checkpoint();
    // The siblings get the synthetic result from the closing of the turn.
    if (ends_turn && !is_error) resolve(true);
  });
  Promise.all(running).then(() => resolve(false), reject);
  return promise.finally(() => {
    turn.signal.removeEventListener('abort', giveUp);
    // Calls that still run, whyever, are told that nobody waits for them.
    step.abort();
  });
}

/** Never throws: whatever goes wrong is something the model can read. */
async function runCall(
  turn: RunningTurn,
  kit: Kit,
  call: Call,
  signal: AbortSignal,
  workshop: Workshop,
): Promise<ToolOutput> {
  const tool = kit.tools.get(call.name);
  if (tool === undefined)
    return failure(`There is no tool ${call.name}. Tools: ${[...kit.tools.keys()].join(', ')}.`);
  if (call.invalid !== undefined) {
    return failure(
      `The input of ${call.name} was not a JSON object. Call it again with one that fits its schema.`,
    );
  }
  // It has begun when it was told.
  if (call.output !== undefined) return call.output;
  try {
    return await tool.run(call.input, contextOf(turn, kit, call, signal, workshop));
  } catch (error) {
    // Stopped, as it was told to.
    if (signal.aborted) return failure(UNFINISHED_RESULT);
    // Its message may quote what the tool read: that is for the model, not for the log.
    workshop.log.warn({ tool: call.name, turn_id: turn.record.id, error: nameOf(error) }, 'a tool failed');
    return failure(`${call.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contextOf(
  turn: RunningTurn,
  kit: Kit,
  call: Call,
  signal: AbortSignal,
  workshop: Workshop,
): ToolContext {
  const { store, clock } = workshop;
  const { chat, model, sender } = kit;
  const begin = beginContext(turn, call.id, workshop);
  return {
    ...begin,
    chat,
    parameters: turn.record.parameters,
    sender,
    signal,
    request(opening) {
      signal.throwIfAborted();
      return begin.request(opening);
    },
    progress: output => turn.draft.progress(call.id, output),
    raiseEffort() {
      signal.throwIfAborted();
      const raised = raise(turn.effort, model.record.efforts);
      if (raised === null) return null;
      turn.effort = raised;
      return raised.value;
    },
    async setPlan(tasks) {
      signal.throwIfAborted();
      await store.updateChat(turn.record.chat_id, { plan: tasks });
      if (!turn.feed.closed) turn.feed.plan(tasks, timestamp(clock));
    },
    async setWorkdir(workdir) {
      signal.throwIfAborted();
      const changes = { workdir, workdir_on: 'server', updated_at: timestamp(clock) } as const;
      kit.chat = (await store.updateChat(turn.record.chat_id, changes)) ?? kit.chat;
    },
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const failure = (output: string): ToolOutput => ({ output, is_error: true });
