/** Mails that the module writes: text and simple HTML, with an id that follows from what they answer. */
import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { htmlOf } from './html.ts';

interface Letter {
  message_id: string;
  from: { name: string; address: string };
  to: string;
  subject: string;
  /** Markdown. */
  text: string;
  /** The mails before it in its thread; the last is the one that it answers. */
  references?: readonly string[];
  attachments?: readonly { name: string; media_type: string; bytes: Uint8Array }[];
  /** It is an answer or a notice, which no other program may answer; a draft is the owner's own. */
  automatic: boolean;
}

/** The id of a mail that is made of `of`: the same each time, and known to nobody before it is sent. */
export function messageIdOf(secret: string, of: string, address: string): string {
  const hash = createHash('sha256').update(`${secret}\n${of}`).digest('hex').slice(0, 32);
  return `<${hash}@${address.split('@')[1]}>`;
}

export async function written(letter: Letter): Promise<Uint8Array> {
  const { references = [], attachments = [] } = letter;
  const answered = references.at(-1);
  const composer = new MailComposer({
    messageId: letter.message_id,
    from: letter.from,
    to: letter.to,
    subject: letter.subject,
    text: letter.text,
    html: htmlOf(letter.text),
    ...(answered !== undefined && { inReplyTo: answered, references: references.join(' ') }),
    ...(letter.automatic && { headers: { 'Auto-Submitted': 'auto-replied' } }),
    attachments: attachments.map(({ name, media_type, bytes }) => ({
      filename: name,
      contentType: media_type,
      content: Buffer.from(bytes),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}

/** The subject of an answer. */
export const answerTo = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`);
