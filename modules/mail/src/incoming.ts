/** Parses a received email into the parts that the module needs. */
import { createHash } from 'node:crypto';
import { toSingleLine } from '@chat-kernel/text';
import { type EmailAddress, type ParsedMail, simpleParser } from 'mailparser';
import { withoutQuotes } from './quotes.ts';

export interface Incoming {
  /** Includes the angle brackets. Null if the email has none. */
  message_id: string | null;
  /** The emails that it refers to, oldest first; the last is the one that it answers. */
  references: string[];
  /** The only address in its From header, in lower case; null if there is none, or more than one. */
  from: string | null;
  /** The addresses of its recipients in To and Cc, in lower case. */
  to: string[];
  subject: string;
  /** The new text, without quotes. */
  text: string;
  attachments: { name: string; media_type: string; bytes: Uint8Array }[];
  /** Why it was not written by a person, or null. */
  automatic: string | null;
}

/** The maximum length of the text that a model gets. */
const MAX_TEXT = 100_000;

export async function parseMail(raw: Uint8Array): Promise<Incoming> {
  const mail = await simpleParser(Buffer.from(raw), { skipImageLinks: true, skipTextToHtml: true });
  const senders = mail.from?.value ?? [];
  const sender = senders.length === 1 && fromLines(mail) === 1 ? senders[0] : undefined;
  return {
    message_id: mail.messageId ?? null,
    references: listReferences(mail),
    from: sender?.address?.toLowerCase() ?? null,
    to: listRecipients(mail),
    subject: toSingleLine(mail.subject ?? '') || '(no subject)',
    text: withoutQuotes(mail.text ?? '').slice(0, MAX_TEXT),
    attachments: mail.attachments.map(({ filename, contentType, content }, index) => ({
      name: filename || `attachment-${index + 1}`,
      media_type: contentType || 'application/octet-stream',
      bytes: content,
    })),
    automatic: whyAutomatic(mail),
  };
}

/** Parses only the headers. Empty: there is no Message-ID, or the headers are unreadable, for example too large. */
export async function readMessageId(raw: Buffer): Promise<string> {
  const end = raw.indexOf('\r\n\r\n');
  // An error here would end the connection to the mailbox, again at each attempt.
  const head = await parseMail(end < 0 ? raw : raw.subarray(0, end + 4)).catch(() => undefined);
  return head?.message_id ?? '';
}

/** The headers that an author writes, besides those of the content, and the signatures. */
const WRITTEN = new Set(
  'message-id date from to cc subject in-reply-to references dkim-signature'.split(' '),
);

/**
 * Identifies an email by what its author wrote, without anything that servers add, so it is the same for every copy. A
 * forged copy with other headers gets a different key: it must not keep the real email from being read.
 */
export function mailKey(raw: Uint8Array): string {
  const text = Buffer.from(raw).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const body = end ? text.slice(end.index + end[0].length) : '';
  const own = head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter(isWritten);
  const hash = createHash('sha256').update(own.join('\n')).update('\n\n');
  return hash.update(body.replaceAll('\r\n', '\n').trimEnd()).digest('hex');
}

function isWritten(line: string): boolean {
  const name = line.slice(0, line.indexOf(':')).trim().toLowerCase();
  return WRITTEN.has(name) || name.startsWith('content-');
}

const fromLines = ({ headerLines }: ParsedMail): number =>
  headerLines.filter(({ key }) => key === 'from').length;

function listRecipients({ to = [], cc = [] }: ParsedMail): string[] {
  const all = [to, cc].flat().flatMap(({ value }) => value);
  // The addresses of a group are inside it.
  const flat = all.flatMap<EmailAddress>(each => each.group ?? each);
  return flat.flatMap(({ address }) => address?.toLowerCase() ?? []);
}

function listReferences({ references = [], inReplyTo }: ParsedMail): string[] {
  const all = [...[references].flat(), ...(inReplyTo?.match(/<[^<>\s]+>/g) ?? [])];
  return [...new Set(all.toReversed())].reverse();
}

/** Answers to these would go to programs, which could answer back endlessly. */
function whyAutomatic({ headers, from }: ParsedMail): string | null {
  const value = (name: string) => String(headers.get(name) ?? '').toLowerCase();
  const submitted = value('auto-submitted');
  if (submitted !== '' && submitted !== 'no') return 'it was sent automatically';
  // The parser collects all headers of mailing lists under one name.
  if (headers.has('list') || headers.has('list-id')) return 'it came through a mailing list';
  if (/^(?:bulk|junk|list)/.test(value('precedence'))) return 'it is bulk mail';
  if (value('x-auto-response-suppress') !== '') return 'it asks not to be answered automatically';
  const local = from?.value[0]?.address?.split('@')[0]?.toLowerCase() ?? '';
  if (/^(?:mailer-daemon|postmaster|no-?reply|bounces?)$/.test(local)) return 'it is from a mail system';
  if (/^<\s*>$/.test(rawHeader(headers.get('return-path')))) return 'it is a bounce';
  return null;
}

const rawHeader = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : ((value as { text?: string } | undefined)?.text ?? '').trim();
