/** The calls of one step: side by side, each with exactly one result. */
import { type LanguageModel, type ToolContext, type ToolOutput, timestamp } from '../ports/index.ts';
import { raise } from './effort.ts';
import type { RunningTurn, Workshop } from './running.ts';
import type { Call } from './trip.ts';

/** Runs all calls of a step; answers whether one of them ends the turn. Gives up when the turn is to end. */
export async function runCalls(
  turn: RunningTurn,
  model: LanguageModel,
  calls: readonly Call[],
  workshop: Workshop,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    turn.signal.addEventListener('abort', () => reject(turn.signal.reason), { once: true });
    const running = calls.map(async call => {
      const { output, is_error = false, ends_turn = false } = await runCall(turn, model, call, workshop);
      turn.draft.result(call.id, output, is_error);
      // A result that waits for its siblings is on disk while it waits.
      if (turn.draft.openCalls > 0 && !turn.signal.aborted) await turn.checkpoint();
      // The siblings get the synthetic result from the closing of the turn.
      if (ends_turn && !is_error) resolve(true);
    });
    Promise.all(running).then(() => resolve(false), reject);
  });
}

/** Never throws: whatever goes wrong is something the model can read. */
async function runCall(
  turn: RunningTurn,
  model: LanguageModel,
  call: Call,
  workshop: Workshop,
): Promise<ToolOutput> {
  const tool = turn.tools.get(call.name);
  if (tool === undefined)
    return failure(`There is no tool ${call.name}. Tools: ${[...turn.tools.keys()].join(', ')}.`);
  if (call.invalid !== undefined) {
    return failure(
      `The input of ${call.name} was not a JSON object. Call it again with one that fits its schema.`,
    );
  }
  try {
    return await tool.run(call.input, contextOf(turn, model, call, workshop));
  } catch (error) {
    // Its message may quote what the tool read: that is for the model, not for the log.
    workshop.log.warn({ tool: call.name, turn_id: turn.record.id, error: nameOf(error) }, 'a tool failed');
    return failure(`${call.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contextOf(
  turn: RunningTurn,
  model: LanguageModel,
  call: Call,
  { store, clock }: Workshop,
): ToolContext {
  return {
    chat: turn.chat,
    turn_id: turn.record.id,
    call_id: call.id,
    parameters: turn.record.parameters,
    sender: turn.sender,
    signal: turn.signal,
    progress: output => turn.draft.progress(call.id, output),
    raiseEffort() {
      const raised = raise(turn.effort, model.record.efforts);
      if (raised === null) return null;
      turn.effort = raised;
      return raised.value;
    },
    async setPlan(tasks) {
      await store.updateChat(turn.record.chat_id, { plan: tasks });
      if (!turn.feed.closed) turn.feed.plan(tasks, timestamp(clock));
    },
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const failure = (output: string): ToolOutput => ({ output, is_error: true });
