/** Resolves the chat of a request: the one that it names, the one that it continues, or a new one. */
import { SHELF } from '../chats/known-chats.ts';
import { buildContext, callerContext, hashInstructions } from '../conversation/caller-context.ts';
import type { CallAnswer, Conversation } from '../conversation/conversation.ts';
import { messageText } from '../conversation/conversation.ts';
import { waitingTurn } from '../turns/open-calls.ts';
import { toOpenAiError } from '../wire/problems.ts';
import type { Caller, Place } from './caller.ts';

export interface Placing {
  /** The chat that the request names. */
  named: string | undefined;
  model: string;
  conversation: Conversation;
  /** Answers to calls that no longer wait. */
  results: readonly CallAnswer[];
}

/** Longest title of a chat, in characters: the beginning of the user's first message. */
const TITLE = 60;

/** @throws OpenAiError if the model or the named chat does not exist */
export async function resolveChat(caller: Caller, placing: Placing): Promise<Place> {
  const { conversation, results, named } = placing;
  const instructions = hashInstructions(conversation);
  const found =
    named === undefined
      ? await caller.known.find(caller.kernel, conversation.entries, instructions)
      : { chat_id: named, told: { before: '', instructions } };
  if (found === undefined) return startChat(caller, placing);
  await endWaiting(caller, found.chat_id);
  const how = named === undefined ? 'found' : 'named';
  return { ...found, how, context: buildContext(conversation, found.told, results) };
}

async function startChat(
  { kernel, consent }: Caller,
  { conversation, model, results }: Placing,
): Promise<Place> {
  try {
    const title = buildTitle(conversation);
    const { id } = await kernel.createChat({ shelf: SHELF, title, model, consent });
    const context = buildContext(conversation, undefined, results);
    return { chat_id: id, how: 'made', told: callerContext(conversation), context };
  } catch (error) {
    throw toOpenAiError(error);
  }
}

/** Stops a turn whose calls the caller has not answered, because it would block the next message. */
async function endWaiting({ kernel, stops }: Caller, chatId: string): Promise<void> {
  const turn_id = await waitingTurn(kernel, chatId);
  if (turn_id !== undefined) stops.stop(chatId, Promise.resolve({ turn_id }));
  await stops.settled(chatId);
}

/** Derives a title without a model. */
function buildTitle({ fresh, entries }: Conversation): string {
  const text = fresh.map(({ message }) => messageText(message)).find(words => words !== '');
  const line = (text ?? entries[0]?.text ?? '').split('\n', 1)[0]!.toWellFormed();
  return [...line].slice(0, TITLE).join('').trim() || 'OpenAI';
}
