/** How a request begins: with a turn of its own, or with answers to the calls of one that waits. */
import type { KernelClient, TurnEvent } from '@chat-kernel/client';
import { type CallAnswer, type Conversation, conversationOf, textOf } from '../conversation/conversation.ts';
import { entriesOf } from '../conversation/entries.ts';
import { openCalls } from '../turns/open-calls.ts';
import { MUTED, type TurnPartsOptions } from '../turns/turn-parts.ts';
import type { ChatRequest } from '../wire/request.ts';
import type { Caller, Place } from './caller.ts';
import { CallersTurn, type TurnLine } from './callers-turn.ts';
import { type Placing, placeOf } from './place.ts';
import { refusedTurn, turnRequestOf } from './turn-request.ts';

/** What a request says besides its body. */
export interface Asked {
  request: ChatRequest;
  /** The chat that it names. */
  named: string | undefined;
  /** Its Idempotency-Key. */
  key: string | undefined;
  /** The address of the kernel as the caller sees it. */
  publicUrl: string;
}

/** @throws OpenAiError where the request is refused, and then nothing is left of it */
export async function begin(caller: Caller, asked: Asked): Promise<CallersTurn> {
  const { request, named } = asked;
  const conversation = conversationOf(request.messages);
  // What is to be undone of an attempt before this one would be found by this one.
  await Promise.all(caller.undoing);
  const { answers, fresh } = conversation;
  if (answers.length > 0 && fresh.length === 0) {
    const resumed = await resume(caller, asked, conversation, named);
    if (resumed) return resumed;
  }
  return start(caller, asked, conversation, answers);
}

/** Undefined: nobody waits for these answers any more, or they come with new words of the user. */
async function resume(
  caller: Caller,
  asked: Asked,
  conversation: Conversation,
  named: string | undefined,
): Promise<CallersTurn | undefined> {
  const { kernel, known } = caller;
  const { answers, entries } = conversation;
  const found = await openCalls(
    kernel,
    answers.map(({ call_id }) => call_id),
    named,
  );
  const open = found.find(({ chat_id }) => known.isAt(chat_id, entries)) ?? found[0];
  if (open === undefined) return undefined;
  const { chat_id, turn_id } = open;
  const wanted = answers.filter(({ call_id }) => open.ids.includes(call_id));
  const how = named === undefined ? 'found' : 'named';
  const place = { chat_id, how, told: known.toldTo(chat_id) } as const;
  const leaving = leavingOf(caller);
  const live = kernel.live(chat_id, { mute: MUTED, signal: leaving.signal, patienceMs: 0 });
  const events = answering(kernel, chat_id, live, wanted);
  const facts = { place, turn_id, message_id: undefined, entries, key: asked.key };
  return new CallersTurn(caller, facts, { events, leave: () => leaving.abort() }, optionsOf(asked));
}

/** The events of a turn behind the answers, which go out when the stream is open: nothing is missed. */
async function* answering(
  kernel: KernelClient,
  chatId: string,
  live: AsyncIterable<TurnEvent>,
  answers: readonly CallAnswer[],
): AsyncGenerator<TurnEvent, void> {
  let isAnswered = false;
  for await (const event of live) {
    if (!isAnswered) {
      isAnswered = true;
      for (const { call_id: id, text } of answers) await kernel.answerRequest(chatId, { id, result: text });
    }
    const isOld = 'replayed' in event && event.replayed === true;
    if (!isOld) yield event;
  }
}

async function start(
  caller: Caller,
  asked: Asked,
  conversation: Conversation,
  results: readonly CallAnswer[],
): Promise<CallersTurn> {
  const { request, named, key } = asked;
  const isRepeat = key !== undefined && caller.places.has(key);
  const place = await placed(caller, key, { named, model: request.model, conversation, results });
  const { chat_id } = place;
  try {
    const turn = turnRequestOf(request, conversation, place);
    const leaving = leavingOf(caller);
    const stream = caller.kernel.turn(chat_id, turn, {
      signal: leaving.signal,
      patienceMs: 0,
      idempotencyKey: key,
    });
    const line: TurnLine = { events: stream[Symbol.asyncIterator](), leave: () => leaving.abort() };
    const { turn_id, message_id } = await stream.started;
    const news = conversation.fresh.map(({ message }) => ({ role: 'user', text: textOf(message) }) as const);
    const entries = entriesOf([...conversation.entries, ...news]);
    return new CallersTurn(caller, { place, turn_id, message_id, entries, key }, line, optionsOf(asked));
  } catch (error) {
    // The chat of a repeat is that of the first attempt.
    if (isRepeat) throw refusedTurn(error, conversation, place);
    if (key !== undefined) caller.places.delete(key);
    if (place.how === 'made') await caller.kernel.deleteChat(chat_id).catch(caller.onFailure);
    if (place.how === 'found') caller.known.remember(chat_id, conversation.entries, place.told);
    throw refusedTurn(error, conversation, place);
  }
}

/** A request that comes again under its key belongs where it went first. */
function placed(caller: Caller, key: string | undefined, placing: Placing): Promise<Place> {
  const known = key === undefined ? undefined : caller.places.get(key);
  if (known !== undefined) return known;
  const place = placeOf(caller, placing);
  if (key !== undefined) {
    caller.places.set(key, place);
    place.catch(() => caller.places.delete(key));
  }
  return place;
}

/** Aborted when nobody reads the turn any more. */
function leavingOf({ closing }: Caller): AbortController {
  const leaving = new AbortController();
  const close = () => leaving.abort();
  closing.addEventListener('abort', close);
  leaving.signal.addEventListener('abort', () => closing.removeEventListener('abort', close));
  return leaving;
}

const optionsOf = ({ request, publicUrl }: Asked): TurnPartsOptions => ({
  publicUrl,
  tools: new Set(request.tools?.map(tool => tool.function.name)),
});
