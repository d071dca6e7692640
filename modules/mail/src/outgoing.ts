/** Mails that the module writes: text and simple HTML, with an id that follows from what they are about. */
import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { htmlOf } from './html.ts';
import type { Incoming } from './incoming.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore, WrittenMail } from './store.ts';

export interface MailFile {
  name: string;
  /** Absent: as the name says. */
  media_type?: string;
  bytes: Uint8Array;
}

interface Letter {
  /** What the mail is about: written again, it has the same id. */
  of: string;
  to: string;
  subject: string;
  /** Markdown. */
  text: string;
  /** The mails before it in its thread; the last is the one that it answers. */
  references?: readonly string[];
  attachments?: readonly MailFile[];
  /** A person stands behind it, whom others may answer; all else is an answer or a notice, which no program may answer. */
  personal?: true;
}

export async function written(
  { of, to, subject, text, references = [], attachments = [], personal }: Letter,
  { settings: { name, address }, store }: { settings: MailSettings; store: MailStore },
): Promise<WrittenMail> {
  // Known to nobody before the mail is sent.
  const hash = createHash('sha256').update(`${store.secret}\n${of}`).digest('hex').slice(0, 32);
  const message_id = `<${hash}@${address.split('@')[1]}>`;
  const answered = references.at(-1);
  const composer = new MailComposer({
    messageId: message_id,
    from: { name, address },
    to,
    subject,
    text,
    html: htmlOf(text),
    ...(answered !== undefined && { inReplyTo: answered, references: references.join(' ') }),
    ...(!personal && { headers: { 'Auto-Submitted': 'auto-replied' } }),
    attachments: attachments.map(({ name, media_type, bytes }) => ({
      filename: name,
      contentType: media_type,
      content: Buffer.from(bytes),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { message_id, recipient: to, raw: await composer.compile().build() };
}

/** What makes a mail the answer to one whose sender is known. */
export const inAnswerTo = ({ from, subject, references, message_id }: Incoming) => ({
  to: from!,
  subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
  references: message_id === null ? references : [...references, message_id],
});
