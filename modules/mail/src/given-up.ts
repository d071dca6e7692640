/**
 * The names of the work that the guard watches, and the notices in place of work that was given up because it ended the
 * process twice. They contain nothing of it, and writing them parses no email.
 */
import { cutText, toSingleLine } from '@chat-kernel/text';
import { composeMail, replyHeaders } from './outgoing.ts';
import type { MailServices } from './services.ts';
import type { StoredMail, WrittenMail } from './store.ts';

/** The maximum number of characters of a chat's title in a notice. */
const MAX_TITLE = 200;

/** Writing and sending an email are one piece of work. */
export const sendingWork = (message_id: string): string => `send ${message_id}`;
export const readingWork = (mailId: number): string => `read ${mailId}`;

/** Why an email was given up; the digest shows it. */
export const UNREAD = 'reading it ended the program twice';
export const UNSENT = 'sending it ended the program twice';

/** Writes the notice to the sender of an email, in place of the answer. */
export async function composeHiddenAnswer(mail: StoredMail, services: MailServices): Promise<WrittenMail> {
  const { chat_id } = mail;
  // The notice is more useful without a title than later.
  const title =
    chat_id &&
    (await services.kernel.getChat(chat_id).then(
      chat => chat.title,
      () => null,
    ));
  const chat = title ? `the chat "${cutText(toSingleLine(title), MAX_TITLE)}"` : 'its chat';
  return composeNotice(
    mail,
    `This answer could not be shown here: showing it ended the program twice. Read it in ${chat} in another client.`,
    services,
  );
}

/** Writes the notice to the verified sender of an email that cannot be read. */
export const composeUnread = (mail: StoredMail, services: MailServices): Promise<WrittenMail> =>
  composeNotice(
    mail,
    'Your email was not handled: reading it ended the program twice. Write it in another way, or in another client.',
    services,
  );

function composeNotice(mail: StoredMail, text: string, services: MailServices): Promise<WrittenMail> {
  const { key, sender, subject, id } = mail;
  const message_id = services.store.messageIdOf(id);
  const headers = replyHeaders({ from: sender, subject: subject ?? '', references: [], message_id });
  return composeMail({ of: `given up ${key}`, ...headers, text }, services);
}
