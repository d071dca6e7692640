/** Where a request belongs: in the chat that it names, in the one that it goes on in, or in a new one. */
import { SHELF } from '../chats/known-chats.ts';
import type { CallAnswer, Conversation } from '../conversation/conversation.ts';
import { textOf } from '../conversation/conversation.ts';
import { contextOf, instructionsOf, toldOf } from '../conversation/told.ts';
import { waitingTurn } from '../turns/open-calls.ts';
import { openAiErrorOf } from '../wire/problems.ts';
import type { Caller, Place } from './caller.ts';

export interface Placing {
  /** The chat that the request names. */
  named: string | undefined;
  model: string;
  conversation: Conversation;
  /** Answers to calls that nobody waits for. */
  results: readonly CallAnswer[];
}

/** Longest title of a chat, in characters: the beginning of what its user said first. */
const TITLE = 60;

/** @throws OpenAiError where the model or the named chat is not there */
export async function placeOf(caller: Caller, placing: Placing): Promise<Place> {
  const { conversation, results, named } = placing;
  if (named !== undefined) {
    await endWaiting(caller, named);
    const before = { before: '', instructions: instructionsOf(conversation) };
    return { chat_id: named, how: 'named', told: before, context: contextOf(conversation, before, results) };
  }
  const instructions = instructionsOf(conversation);
  const found = await caller.known.find(caller.kernel, conversation.entries, instructions);
  if (found === undefined) return made(caller, placing);
  await endWaiting(caller, found.chat_id);
  return {
    chat_id: found.chat_id,
    how: 'found',
    told: { ...found.told, instructions },
    context: contextOf(conversation, found.told, results),
  };
}

async function made({ kernel }: Caller, { conversation, model, results }: Placing): Promise<Place> {
  try {
    const { id } = await kernel.createChat({ shelf: SHELF, title: titleOf(conversation), model });
    const context = contextOf(conversation, undefined, results);
    return { chat_id: id, how: 'made', told: toldOf(conversation), context };
  } catch (error) {
    throw openAiErrorOf(error);
  }
}

/** A turn whose calls the caller leaves without an answer would let its next message wait. */
async function endWaiting({ kernel, stops }: Caller, chatId: string): Promise<void> {
  const turn_id = await waitingTurn(kernel, chatId);
  if (turn_id !== undefined) stops.stop(chatId, Promise.resolve({ turn_id }));
  await stops.settled(chatId);
}

/** A title that no model has to be asked for. */
function titleOf({ fresh, entries }: Conversation): string {
  const text = fresh.map(({ message }) => textOf(message)).find(words => words !== '');
  const line = (text ?? entries[0]?.text ?? '').split('\n', 1)[0]!.toWellFormed();
  return [...line].slice(0, TITLE).join('').trim() || 'OpenAI';
}
