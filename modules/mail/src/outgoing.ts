/** Writes emails as text and simple HTML, with a Message-ID that is derived from their subject key. */
import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { renderHtml } from './html.ts';
import type { Incoming } from './incoming.ts';
import type { MailSettings } from './settings.ts';
import type { MailStore, WrittenMail } from './store.ts';

export interface MailFile {
  name: string;
  /** Absent: derived from the name. */
  media_type?: string;
  bytes: Uint8Array;
}

interface Draft {
  /** The subject key of the email: writing it again gives the same id. */
  of: string;
  to: string;
  subject: string;
  /** Markdown. */
  text: string;
  /** The earlier emails of its thread; the last is the one that it answers. */
  references?: readonly string[];
  attachments?: readonly MailFile[];
  /**
   * True if a person sends it, so that others can reply. All others are automatic, and programs must not answer them.
   */
  personal?: true;
}

/** The Message-ID of the email about this, which cannot be guessed before it is sent. */
export function messageIdFor(
  of: string,
  { address, secret }: Pick<MailSettings, 'address'> & Pick<MailStore, 'secret'>,
): string {
  const hash = createHash('sha256').update(`${secret}\n${of}`).digest('hex').slice(0, 32);
  return `<${hash}@${address.split('@')[1]}>`;
}

export async function composeMail(
  { of, to, subject, text, references = [], attachments = [], personal }: Draft,
  { settings: { name, address }, store }: { settings: MailSettings; store: MailStore },
): Promise<WrittenMail> {
  const message_id = messageIdFor(of, { address, secret: store.secret });
  const repliedTo = references.at(-1);
  const composer = new MailComposer({
    messageId: message_id,
    from: { name, address },
    to,
    subject,
    text,
    html: renderHtml(text),
    ...(repliedTo !== undefined && { inReplyTo: repliedTo, references: references.join(' ') }),
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

/** The headers of a reply to an email from a known sender. */
export const replyHeaders = ({
  from,
  subject,
  references,
  message_id,
}: Pick<Incoming, 'from' | 'subject' | 'references' | 'message_id'>) => ({
  to: from!,
  subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
  references: message_id === null ? references : [...references, message_id],
});
