/**
 * The life of a turn, on one screen: ask the model, run what it calls, store each step, again until it calls
 * nothing. Every way out ends in `closeTurn`.
 */
import { TURN_ERRORS, type TurnEffort } from '@chat-kernel/protocol';
import {
  type ChatRecord,
  type LanguageModel,
  type MessageDraft,
  ModelError,
  type Models,
  type TurnParameters,
  timestamp,
} from '../ports/index.ts';
import { runCalls } from './calls.ts';
import { closeTurn } from './close.ts';
import { chooseEffort } from './effort.ts';
import { completed, type Ending, endingOf, RESTARTED } from './ending.ts';
import type { RunningTurn, Workshop } from './running.ts';
import { trip } from './trip.ts';

/** After an ending from outside, a step has this long to unwind before the turn closes over it. */
const UNWIND_MS = 2000;

/** Runs a turn to its end. `placed`: its message has its place in the chat already. Never throws. */
export async function runTurn(turn: RunningTurn, placed: boolean, workshop: Workshop): Promise<void> {
  const ending = await Promise.race([
    prepare(turn, placed, workshop)
      .then(model => steps(turn, model, workshop))
      .catch(thrown => endingOfThrown(turn, thrown, workshop)),
    endedFromOutside(turn, workshop),
  ]);
  await closeTurn(turn, ending, workshop);
}

async function steps(turn: RunningTurn, model: LanguageModel, workshop: Workshop): Promise<Ending> {
  for (let step = 0; step < workshop.settings.max_steps; step++) {
    const { calls, finish } = await trip(turn, model, workshop);
    turn.signal.throwIfAborted();
    if (calls.length === 0) return completed(finish);
    await turn.store(turn.draft.takeReply());
    if (await runCalls(turn, model, calls, workshop)) return completed('ends_turn');
    await turn.store(turn.draft.takeResults());
    turn.signal.throwIfAborted();
  }
  const { max_steps } = workshop.settings;
  throw new ModelError('step_limit', `${TURN_ERRORS.step_limit}: ${max_steps}.`, true);
}

/** Finds what the turn runs with, and tells the store that it runs. */
async function prepare(turn: RunningTurn, placed: boolean, workshop: Workshop): Promise<LanguageModel> {
  const { store, models, histories, clock } = workshop;
  const { record } = turn;
  const { parameters } = record;
  const chat = await store.chat(record.chat_id);
  if (chat === undefined) throw new Error(`chat ${record.chat_id} is gone`);
  turn.chat = chat;
  const model = modelOf(chat, parameters, models);
  turn.model = model;
  if (!placed) {
    await turn.write({ turn: { status: 'running', started_at: timestamp(clock) }, place: record.message_id });
    const [message] = await store.turnMessages(record.chat_id, record.id);
    if (message) histories.append(record.chat_id, [message]);
  }
  turn.signal.throwIfAborted();
  if (model === undefined) throw noModel(parameters.model ?? chat.model ?? parameters.surface_model);

  const history = await histories.load(record.chat_id);
  for (const { content } of history) {
    for (const block of content) if (block.type === 'tool_use') turn.callIds.add(block.id);
  }
  const message = history.findLast(({ id }) => id === record.message_id);
  turn.sender = message?.sender;
  if (message !== undefined) turn.effort = effortBefore(chat, parameters, message, workshop);
  turn.tools = workshop.toolbox.offer(parameters, chat.toolset.disabled, isTrusted(turn));
  return model;
}

/** The effort as it looks before the turn runs: what the chat and the settings say may change until then. */
export function effortBefore(
  chat: ChatRecord,
  parameters: TurnParameters,
  message: MessageDraft,
  { models, settings }: Workshop,
): TurnEffort {
  const model = modelOf(chat, parameters, models)?.record;
  const text = message.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
  return chooseEffort(
    {
      turn: parameters.effort,
      master_text: message.sender === undefined ? text : undefined,
      chat: chat.effort,
      surface: parameters.surface_effort,
      model: model?.effort ?? null,
      global: settings.reasoning,
    },
    model?.efforts ?? [],
  );
}

/** The turn's model, the chat's, the surface's, the default: the first that is named. */
function modelOf(chat: ChatRecord, parameters: TurnParameters, models: Models): LanguageModel | undefined {
  const wanted = parameters.model ?? chat.model ?? parameters.surface_model;
  return wanted === undefined ? models.default() : models.find(wanted);
}

const isTrusted = ({ record, sender }: RunningTurn): boolean =>
  !record.parameters.guest && sender === undefined;

function noModel(wanted: string | undefined): ModelError {
  const message =
    wanted === undefined
      ? 'No model can be used: name a provider in the settings.'
      : `The model ${wanted} is not there any more: choose another one.`;
  return new ModelError('no_model', message, false);
}

function endingOfThrown(turn: RunningTurn, thrown: unknown, { log }: Workshop): Ending {
  if (turn.signal.aborted) return turn.signal.reason as Ending;
  const ending = endingOf(thrown);
  if ('unexpected' in ending) log.error({ err: ending.unexpected, turn_id: turn.record.id }, 'a turn failed');
  return ending;
}

/** The ending that came from outside, once its step has had time to unwind. */
function endedFromOutside(turn: RunningTurn, { clock }: Workshop): Promise<Ending> {
  return new Promise(resolve => {
    turn.signal.addEventListener('abort', () => clock.after(UNWIND_MS, () => resolve(turn.signal.reason)), {
      once: true,
    });
  });
}

/** Closes a turn that ran when the process died: what it had is kept, what was open is closed. */
export async function closeAfterCrash(turn: RunningTurn, workshop: Workshop): Promise<void> {
  const { store } = workshop;
  const { id, chat_id, checkpoint, model, usage } = turn.record;
  const stored = await store.turnMessages(chat_id, id);
  const last = stored.at(-1);
  const unanswered =
    last?.role === 'assistant' ? last.content.filter(block => block.type === 'tool_use') : [];
  turn.usage = usage;
  if (model !== null) turn.model = workshop.models.find(model);
  turn.draft.restore(checkpoint ?? [], unanswered);
  await closeTurn(turn, RESTARTED, workshop);
}
