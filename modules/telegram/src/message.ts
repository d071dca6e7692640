/** A message of Telegram, or those of an album, as the request of a turn. */
import type { KernelClient, TurnStart } from '@chat-kernel/module-sdk';
import type { Message, MessageOrigin } from 'grammy/types';
import { whenThere } from './kernel-answers.ts';
import type { Media } from './media.ts';
import { type Known, nameOf } from './who.ts';

export const SURFACE = 'telegram';
/** Characters of a quoted message that the model gets. */
const MAX_QUOTE = 4000;

export type Messages = readonly [Message, ...Message[]];

interface Said {
  messages: Messages;
  who: Known;
  media: Media;
}

export const wordsIn = ({ text, caption }: Message): string => text ?? caption ?? '';

/** Resolves with undefined where there is nothing in the message to answer, such as a sticker. */
export async function requestOf(
  { messages, who, media }: Said,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<TurnStart | undefined> {
  const { images, files, spoken, missing } = media;
  const [message] = messages;
  const words = [...messages.map(wordsIn), ...spoken].filter(each => each !== '').join('\n\n');
  const origin = message.forward_origin;
  const text = [origin && words ? forwarded(origin, words) : words, ...missing.map(each => `[${each}]`)]
    .filter(each => each !== '')
    .join('\n\n');
  if (text === '' && images.length + files.length === 0) return undefined;
  const inGroup = message.chat.type !== 'private';
  const title = message.chat.title ?? (message.from && nameOf(message.from));
  return {
    ...(text !== '' && { text }),
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files }),
    ...(await speaker(message, who, inGroup, kernel, signal)),
    anchor: { chat_id: message.chat.id, message_id: message.message_id },
    ...(title && { chat_title: `${title} on Telegram` }),
    ...quoteOf(message),
    // The owner alone can press a button.
    questions: who.kind === 'master',
  };
}

/**
 * In private the owner is the master. Among others the owner has a name, as everybody has: else the model could not tell
 * them apart; the mark of the person says that it is the master.
 */
async function speaker(
  { from }: Message,
  who: Known,
  inGroup: boolean,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<Pick<TurnStart, 'sender' | 'person_id'>> {
  if (!from || (who.kind === 'master' && !inGroup)) return {};
  const name = nameOf(from);
  const ids = { surface: SURFACE, external_id: String(from.id), name };
  const person = await whenThere(() => kernel.resolvePerson(ids, { signal }), signal);
  if (who.kind === 'master' && !person.master) {
    await whenThere(() => kernel.patchPerson(person.id, { master: true }, { signal }), signal);
  }
  return { sender: name, person_id: person.id };
}

/** Somebody else's words are not the sender's. */
const forwarded = (origin: MessageOrigin, words: string): string =>
  `[Forwarded from ${JSON.stringify(originOf(origin))}; the sender did not write this:]\n${words}\n[End of what was forwarded]`;

function originOf(origin: MessageOrigin): string {
  switch (origin.type) {
    case 'user':
      return nameOf(origin.sender_user);
    case 'hidden_user':
      return origin.sender_user_name;
    case 'chat':
      return origin.sender_chat.title ?? 'a chat';
    case 'channel':
      return origin.chat.title ?? 'a channel';
    default:
      return 'somebody';
  }
}

function quoteOf({ reply_to_message, quote }: Message): Pick<TurnStart, 'reply_to_ext_id' | 'reply_to_text'> {
  // In a topic of a forum every message replies to the one that opened it.
  if (!reply_to_message || reply_to_message.forum_topic_created) return {};
  return quoting(reply_to_message.message_id, quote?.text ?? wordsIn(reply_to_message));
}

/** The part of a request that quotes a message of Telegram, where that has words. */
export function quoting(
  messageId: number,
  words: string,
): Pick<TurnStart, 'reply_to_ext_id' | 'reply_to_text'> {
  if (words === '') return {};
  return { reply_to_ext_id: String(messageId), reply_to_text: words.slice(0, MAX_QUOTE).toWellFormed() };
}
