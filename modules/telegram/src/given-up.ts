/** The notices in place of work that was given up because it ended the process twice. They contain nothing of it. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import { cutText, toSingleLine } from '@chat-kernel/text';
import type { AnswerId, Outgoing } from './tables.ts';

/** The maximum number of characters of a chat's title in a notice. */
const MAX_TITLE = 200;

export const updateWork = (updateId: number): string => `update ${updateId}`;
export const answerWork = (updateId: number): string => `answer ${updateId}`;

/** The pieces of an answer are one piece of work; every other message is one of its own. */
export const sendingWork = ({ id, body }: Pick<Outgoing, 'id' | 'body'>): string =>
  body.answer ? answerWork(body.answer.update_id) : `message ${id}`;

export const UNREADABLE =
  'This message was not handled: reading it ended the program twice. Write it in another way, or in another client.';
export const HIDDEN_REQUEST =
  'A request could not be shown here: showing it ended the program twice. Decide in another client.';
const HIDDEN_MESSAGE = 'A message could not be shown here: showing it ended the program twice.';

/** @param answer the turn of an answer; undefined: another message */
export async function describeHidden(
  answer: Pick<AnswerId, 'kernel_chat'> | undefined,
  kernel: KernelClient,
  signal: AbortSignal,
): Promise<string> {
  if (!answer) return HIDDEN_MESSAGE;
  const title = await kernel.getChat(answer.kernel_chat, { signal }).then(
    chat => chat.title,
    // The notice is more useful without a title than later.
    () => null,
  );
  signal.throwIfAborted();
  const chat = title ? `the chat "${cutText(toSingleLine(title), MAX_TITLE)}"` : 'this chat';
  return `This answer could not be shown here: showing it ended the program twice. Read it in ${chat} in another client.`;
}
