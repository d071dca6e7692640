/**
 * The life of a turn, on one screen: ask the model, run what it calls, store each step, again until it calls
 * nothing. Every way out ends in `closeTurn`.
 */
import { TURN_ERRORS } from '@chat-kernel/protocol';
import { type Clock, ModelError, timestamp } from '../ports/index.ts';
import { extraTools } from '../toolbox/extra-tools.ts';
import { runCalls } from './calls.ts';
import { effortOf, modelOf, noModel } from './choice.ts';
import { closeTurn } from './close.ts';
import { completed, type Ending, endingOf, RESTARTED } from './ending.ts';
import type { Kit, RunningTurn, Workshop } from './running.ts';
import { trip } from './trip.ts';

/** After an ending from outside, a step has this long to unwind before the turn closes over it. */
const UNWIND_MS = 2000;

/** Runs a turn to its end. `placed`: its message has its place in the chat already. Never throws. */
export async function runTurn(turn: RunningTurn, placed: boolean, workshop: Workshop): Promise<void> {
  const patience = patienceWith(turn, workshop.clock);
  const ending = await Promise.race([
    prepare(turn, placed, workshop)
      .then(kit => steps(turn, kit, workshop))
      .catch(thrown => endingOfThrown(turn, thrown, workshop)),
    patience.over,
  ]);
  patience.stop();
  turn.endTrip();
  await closeTurn(turn, ending, workshop);
}

async function steps(turn: RunningTurn, kit: Kit, workshop: Workshop): Promise<Ending> {
  for (let step = 0; step < workshop.settings.max_steps; step++) {
    const { calls, finish } = await trip(turn, kit, workshop);
    turn.signal.throwIfAborted();
    if (calls.length === 0) return completed(finish);
    await turn.store(turn.draft.takeReply());
    if (await runCalls(turn, kit, calls, workshop)) return completed('ends_turn');
    await turn.store(turn.draft.takeResults());
    turn.signal.throwIfAborted();
  }
  const { max_steps } = workshop.settings;
  throw new ModelError('step_limit', `${TURN_ERRORS.step_limit}: ${max_steps}.`, true);
}

/** Finds what the turn works with, and tells the store that it runs. */
async function prepare(turn: RunningTurn, placed: boolean, workshop: Workshop): Promise<Kit> {
  const { store, models, histories, toolbox, clock } = workshop;
  const { chat_id, message_id, parameters } = turn.record;
  const chat = await store.chat(chat_id);
  if (chat === undefined) throw new Error(`chat ${chat_id} is gone`);
  const model = modelOf(chat, parameters, models);
  turn.model = model?.record.id ?? null;
  if (!placed) {
    await turn.write({ turn: { status: 'running', started_at: timestamp(clock) }, place: message_id });
    const [message] = await store.turnMessages(chat_id, turn.record.id);
    if (message) histories.append(chat_id, [message]);
  }
  turn.signal.throwIfAborted();
  if (model === undefined) throw noModel(chat, parameters);

  const { messages } = await histories.load(chat_id);
  const message = messages.findLast(({ id }) => id === message_id);
  const sender = message?.sender;
  if (message !== undefined) turn.effort = effortOf(chat, parameters, message, workshop);
  const trusted = !parameters.guest && sender === undefined;
  const offered = toolbox.offer(parameters, chat.toolset.disabled, trusted);
  // Behind the others, whose order must not change from turn to turn.
  const tools = new Map([...offered, ...extraTools(parameters, workshop.settings.extra_tool_timeout_secs)]);
  return { chat, model, sender, tools };
}

function endingOfThrown(turn: RunningTurn, thrown: unknown, { log }: Workshop): Ending {
  if (turn.signal.aborted) return turn.signal.reason as Ending;
  const ending = endingOf(thrown);
  if ('unexpected' in ending) log.error({ err: ending.unexpected, turn_id: turn.record.id }, 'a turn failed');
  return ending;
}

/** `over` is the ending that came from outside, once the step that ran has had its time to unwind. */
function patienceWith({ signal }: RunningTurn, clock: Clock): { over: Promise<Ending>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  let takeBack = () => {};
  const wait = () => {
    takeBack = clock.after(UNWIND_MS, () => resolve(signal.reason));
  };
  // One that waited may have been ended before it began.
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait);
  const stop = () => {
    signal.removeEventListener('abort', wait);
    takeBack();
  };
  return { over: promise, stop };
}

/** Closes a turn that ran when the process died: what it had is kept, what was open is closed. */
export async function closeAfterCrash(turn: RunningTurn, workshop: Workshop): Promise<void> {
  const { store } = workshop;
  const { id, chat_id, checkpoint } = turn.record;
  const stored = await store.turnMessages(chat_id, id);
  const last = stored.at(-1);
  const unanswered =
    last?.role === 'assistant' ? last.content.filter(block => block.type === 'tool_use') : [];
  turn.draft.restore(checkpoint ?? [], unanswered);
  await closeTurn(turn, RESTARTED, workshop);
}
