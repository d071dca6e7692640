/** Begins the response to a request: with a new turn, or with answers to the calls of a waiting one. */
import type { KernelClient, TurnEvent } from '@chat-kernel/client';
import type { CallerContext } from '../conversation/caller-context.ts';
import {
  type CallAnswer,
  type Conversation,
  messageText,
  parseConversation,
} from '../conversation/conversation.ts';
import { toEntries } from '../conversation/entries.ts';
import { type OpenCalls, openCalls } from '../turns/open-calls.ts';
import { MUTED, type TurnPartsOptions } from '../turns/turn-parts.ts';
import type { ChatRequest } from '../wire/request.ts';
import type { Caller, Place } from './caller.ts';
import { CallersTurn, type TurnLine } from './callers-turn.ts';
import { type Placing, resolveChat } from './resolve-chat.ts';
import { buildTurnRequest, refusedTurn } from './turn-request.ts';

/** The parts of a request besides its body. */
export interface Asked {
  request: ChatRequest;
  /** The chat that the request names. */
  named: string | undefined;
  /** Its Idempotency-Key. */
  key: string | undefined;
  /** The address of the kernel as the caller sees it. */
  publicUrl: string;
}

/** @throws OpenAiError if the request is rejected; nothing is stored then */
export async function begin(caller: Caller, asked: Asked): Promise<CallersTurn> {
  const { request, named } = asked;
  const conversation = parseConversation(request.messages);
  // Wait for the cleanup of earlier attempts; this one would match their leftovers.
  await Promise.all(caller.undoing);
  const { answers, fresh } = conversation;
  if (answers.length > 0 && fresh.length === 0) {
    const resumed = await resume(caller, asked, conversation, named);
    if (resumed) return resumed;
  }
  return start(caller, asked, conversation, answers);
}

/** Undefined if no call waits for these answers, or if they arrive with new text of the user. */
async function resume(
  caller: Caller,
  asked: Asked,
  conversation: Conversation,
  named: string | undefined,
): Promise<CallersTurn | undefined> {
  const { kernel } = caller;
  const { answers, entries } = conversation;
  const found = await openCalls(
    kernel,
    answers.map(({ call_id }) => call_id),
    named,
  );
  const open: WaitingCalls | undefined =
    named === undefined ? await ofConversation(caller, found, conversation) : found[0];
  if (open === undefined) return undefined;
  const { chat_id, turn_id, told } = open;
  const wanted = answers.filter(({ call_id }) => open.ids.includes(call_id));
  const how = named === undefined ? 'found' : 'named';
  const place = { chat_id, how, told } as const;
  const leaving = createLeaveController(caller);
  const live = kernel.live(chat_id, { mute: MUTED, signal: leaving.signal, patienceMs: 0 });
  const events = answering(kernel, chat_id, live, wanted);
  const facts = { place, turn_id, message_id: undefined, entries, key: asked.key };
  return new CallersTurn(caller, facts, { events, leave: () => leaving.abort() }, buildOptions(asked));
}

/** Open calls, with the context of their chat if the conversation was compared. */
type WaitingCalls = OpenCalls & { told?: CallerContext };

/** The first of these calls whose chat has this conversation: other programs may use the same ids. */
async function ofConversation(
  { kernel, known }: Caller,
  found: readonly OpenCalls[],
  conversation: Conversation,
): Promise<WaitingCalls | undefined> {
  for (const calls of found) {
    const told = await known.waitingIn(kernel, calls.chat_id, conversation);
    if (told) return { ...calls, told };
  }
  return undefined;
}

/**
 * Returns the events of a turn after the answers. Sends the answers once the stream is open, so that no event is
 * missed.
 */
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
    const turn = await buildTurnRequest(caller.kernel, request, conversation, place);
    const leaving = createLeaveController(caller);
    const stream = caller.kernel.turn(chat_id, turn, {
      signal: leaving.signal,
      patienceMs: 0,
      idempotencyKey: key,
    });
    const line: TurnLine = { events: stream[Symbol.asyncIterator](), leave: () => leaving.abort() };
    const { turn_id, message_id } = await stream.started;
    const news = conversation.fresh.map(
      ({ message }) => ({ role: 'user', text: messageText(message) }) as const,
    );
    const entries = toEntries([...conversation.entries, ...news]);
    return new CallersTurn(caller, { place, turn_id, message_id, entries, key }, line, buildOptions(asked));
  } catch (error) {
    // A repeated request uses the chat of the first attempt.
    if (isRepeat) throw refusedTurn(error, conversation, place);
    if (key !== undefined) caller.places.delete(key);
    if (place.how === 'made') await caller.kernel.deleteChat(chat_id).catch(caller.onFailure);
    if (place.how === 'found') caller.known.remember(chat_id, conversation.entries, place.told);
    throw refusedTurn(error, conversation, place);
  }
}

/** A request repeated with the same key uses the chat of its first attempt. */
function placed(caller: Caller, key: string | undefined, placing: Placing): Promise<Place> {
  const known = key === undefined ? undefined : caller.places.get(key);
  if (known !== undefined) return known;
  const place = resolveChat(caller, placing);
  if (key !== undefined) {
    caller.places.set(key, place);
    place.catch(() => caller.places.delete(key));
  }
  return place;
}

/** Aborted when no client reads the turn any longer. */
function createLeaveController({ closing }: Caller): AbortController {
  const leaving = new AbortController();
  const close = () => leaving.abort();
  closing.addEventListener('abort', close);
  leaving.signal.addEventListener('abort', () => closing.removeEventListener('abort', close));
  return leaving;
}

const buildOptions = ({ request, publicUrl }: Asked): TurnPartsOptions => ({
  publicUrl,
  tools: new Set(request.tools?.map(tool => tool.function.name)),
});
