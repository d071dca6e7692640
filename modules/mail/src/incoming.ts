/** A mail as it came, taken apart: what the rest of the module needs of it. */
import { createHash } from 'node:crypto';
import { type ParsedMail, simpleParser } from 'mailparser';
import { withoutQuotes } from './quotes.ts';

export interface Incoming {
  /** With its angle brackets; null where it has none. */
  message_id: string | null;
  /** The mails that it refers to, the oldest first; the last is the one that it answers. */
  references: string[];
  /** The one address of its From in small letters; null where there are none, or several. */
  from: string | null;
  subject: string;
  /** What is new in it. */
  text: string;
  attachments: { name: string; media_type: string; bytes: Uint8Array }[];
  /** Why no person has written it, or null. */
  automatic: string | null;
}

/** Longest text of a mail that a model gets. */
const MAX_TEXT = 100_000;

export async function incomingOf(raw: Uint8Array): Promise<Incoming> {
  const mail = await simpleParser(Buffer.from(raw), { skipImageLinks: true, skipTextToHtml: true });
  const senders = mail.from?.value ?? [];
  const sender = senders.length === 1 && fromLines(mail) === 1 ? senders[0] : undefined;
  return {
    message_id: mail.messageId ?? null,
    references: referencesOf(mail),
    from: sender?.address?.toLowerCase() ?? null,
    subject: oneLine(mail.subject ?? '') || '(no subject)',
    text: withoutQuotes(mail.text ?? '').slice(0, MAX_TEXT),
    attachments: mail.attachments.map(({ filename, contentType, content }, index) => ({
      name: filename || `attachment-${index + 1}`,
      media_type: contentType || 'application/octet-stream',
      bytes: content,
    })),
    automatic: whyAutomatic(mail),
  };
}

/**
 * The same for the same mail, whatever way it took: of what its author wrote, and nothing that servers add. Somebody who
 * takes the Message-ID of another mail does not get in its way.
 */
export function keyOf(raw: Uint8Array): string {
  const text = Buffer.from(raw).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const body = end ? text.slice(end.index + end[0].length) : '';
  const own = head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter(line => /^(?:message-id|date|from|subject):/i.test(line));
  const hash = createHash('sha256').update(own.join('\n')).update('\n\n');
  return hash.update(body.replaceAll('\r\n', '\n').trimEnd()).digest('hex');
}

const fromLines = ({ headerLines }: ParsedMail): number =>
  headerLines.filter(({ key }) => key === 'from').length;

function referencesOf({ references = [], inReplyTo }: ParsedMail): string[] {
  const all = [...[references].flat(), ...(inReplyTo?.match(/<[^<>\s]+>/g) ?? [])];
  return [...new Set(all.toReversed())].reverse();
}

/** Whoever answers these talks to a machine, which may answer in turn, for ever. */
function whyAutomatic({ headers, from }: ParsedMail): string | null {
  const value = (name: string) => String(headers.get(name) ?? '').toLowerCase();
  const submitted = value('auto-submitted');
  if (submitted !== '' && submitted !== 'no') return 'it was sent by a program';
  // The parser gathers all headers of mailing lists under one name.
  if (headers.has('list') || headers.has('list-id')) return 'it came through a mailing list';
  if (/^(?:bulk|junk|list)/.test(value('precedence'))) return 'it is bulk mail';
  if (value('x-auto-response-suppress') !== '') return 'it wants no automatic answer';
  const local = from?.value[0]?.address?.split('@')[0]?.toLowerCase() ?? '';
  if (/^(?:mailer-daemon|postmaster|no-?reply|bounces?)$/.test(local)) return 'it is from a mail system';
  if (/^<\s*>$/.test(rawHeader(headers.get('return-path')))) return 'it is a bounce';
  return null;
}

const rawHeader = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : ((value as { text?: string } | undefined)?.text ?? '').trim();

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
