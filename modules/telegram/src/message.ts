/** Builds the request of a turn from a Telegram message, or from those of an album. */
import type { KernelClient, TurnStart } from '@chat-kernel/module-sdk';
import { retryUntilAvailable } from '@chat-kernel/module-sdk/surface';
import type { Message, MessageOrigin } from 'grammy/types';
import { formatUserName, type Known } from './identify-sender.ts';
import type { Media } from './media.ts';

export const SURFACE = 'telegram';
/** The maximum number of characters that the model gets of a quoted message. */
const MAX_QUOTE = 4000;

export type Messages = readonly [Message, ...Message[]];

interface Said {
  messages: Messages;
  who: Known;
  media: Media;
}

export const messageText = ({ text, caption }: Message): string => text ?? caption ?? '';

/** Resolves with undefined if the message has nothing to answer, such as a sticker. */
export async function buildTurnStart(
  { messages, who, media }: Said,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<TurnStart | undefined> {
  const { images, files, transcripts, missing } = media;
  const [message] = messages;
  const words = [...messages.map(messageText), ...transcripts].filter(each => each !== '').join('\n\n');
  const origin = message.forward_origin;
  const text = [origin && words ? forwarded(origin, words) : words, ...missing.map(each => `[${each}]`)]
    .filter(each => each !== '')
    .join('\n\n');
  if (text === '' && images.length + files.length === 0) return undefined;
  const inGroup = message.chat.type !== 'private';
  const title = message.chat.title ?? (message.from && formatUserName(message.from));
  return {
    ...(text !== '' && { text }),
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files }),
    ...(await speaker(message, who, inGroup, kernel, signal)),
    anchor: { chat_id: message.chat.id, message_id: message.message_id, module: SURFACE },
    ...describeOutside(messages, inGroup),
    ...(title && { chat_title: `${title} on Telegram` }),
    ...buildQuote(message),
    // Only the owner can press a button.
    questions: who.kind === 'master',
    consents: who.kind === 'master',
  };
}

/**
 * In private chats, the owner is the master. In groups, messages of the owner have a name, so that the model can tell
 * people apart; the person's record says that it is the master.
 */
async function speaker(
  { from }: Message,
  who: Known,
  inGroup: boolean,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<Pick<TurnStart, 'sender' | 'person_id'>> {
  if (!from || (who.kind === 'master' && !inGroup)) return {};
  // The kernel reserves its own name, but people choose theirs freely.
  const name = formatUserName(from) === 'kernel' ? 'kernel (Telegram)' : formatUserName(from);
  const ids = { surface: SURFACE, external_id: String(from.id), name };
  const person = await retryUntilAvailable(() => kernel.resolvePerson(ids, { signal }), signal);
  if (who.kind === 'master' && !person.master) {
    await retryUntilAvailable(() => kernel.patchPerson(person.id, { master: true }, { signal }), signal);
  }
  return { sender: name, person_id: person.id };
}

/** Where words in the prompt come from that the sender did not write: all members of a group are in its chat. */
function describeOutside(messages: Messages, inGroup: boolean): Pick<TurnStart, 'outside'> {
  const [{ chat, reply_to_message, via_bot }] = messages;
  const isForwarded = [...messages, reply_to_message].some(each => each?.forward_origin !== undefined);
  const bot = via_bot ?? reply_to_message?.via_bot;
  const outside = [
    ...(inGroup ? [`telegram:group ${chat.id}`] : []),
    ...(isForwarded ? ['telegram:forwarded message'] : []),
    // Text that another bot wrote and the sender chose.
    ...(bot ? [`telegram:bot ${bot.username ?? bot.id}`] : []),
  ];
  return outside.length > 0 ? { outside } : {};
}

/** Marks forwarded text, because the sender did not write it. */
const forwarded = (origin: MessageOrigin, words: string): string =>
  `[Forwarded from ${JSON.stringify(describeOrigin(origin))}; the sender did not write this:]\n${words}\n[End of the forwarded message]`;

function describeOrigin(origin: MessageOrigin): string {
  switch (origin.type) {
    case 'user':
      return formatUserName(origin.sender_user);
    case 'hidden_user':
      return origin.sender_user_name;
    case 'chat':
      return origin.sender_chat.title ?? 'a chat';
    case 'channel':
      return origin.chat.title ?? 'a channel';
    default:
      return 'an unknown sender';
  }
}

function buildQuote({
  reply_to_message,
  quote,
}: Message): Pick<TurnStart, 'reply_to_ext_id' | 'reply_to_text'> {
  // In a forum topic, every message replies to the one that opened it.
  if (!reply_to_message || reply_to_message.forum_topic_created) return {};
  return quoting(reply_to_message.message_id, quote?.text ?? messageText(reply_to_message));
}

/** The fields of a request that quote a Telegram message, if it has text. */
export function quoting(
  messageId: number,
  words: string,
): Pick<TurnStart, 'reply_to_ext_id' | 'reply_to_text'> {
  if (words === '') return {};
  return { reply_to_ext_id: String(messageId), reply_to_text: words.slice(0, MAX_QUOTE).toWellFormed() };
}
