/**
 * Verifies who wrote an email, by its DKIM signature. Anyone can write any From header, and anyone who has received an
 * email can deliver it again with other headers. So only the headers that the signature covers count (CONSENT-13).
 */
import { Resolver } from 'node:dns/promises';
import { domainToASCII } from 'node:url';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { parseMail } from './incoming.ts';
import type { MailSettings } from './settings.ts';

/** A proof that the owner of the address wrote the email, to this mailbox, recently. */
export interface Proof {
  /** The email without headers that do not count. */
  mail: Buffer;
  message_id: string;
  /** The headers that are used although the signature does not cover them: the owner has to confirm the email. */
  uncovered: string[];
}

interface NoProof {
  why: string;
  /** True if the check may succeed later: a name server did not respond. */
  isTemporary: boolean;
}

type Settings = Pick<MailSettings, 'address' | 'dns'>;

const RECIPIENTS = ['to', 'cc'];
const ALWAYS_COVERED = ['from', 'subject', 'date', 'message-id'];
/** Used only if covered: without them, the email starts a new chat, or an attachment has no name. */
const USED_IF_COVERED = ['in-reply-to', 'references', 'content-disposition'];
/** Determine how the text is read. */
const CONTENT = ['content-type', 'content-transfer-encoding'];
const MAX_ONCE = [...ALWAYS_COVERED, ...RECIPIENTS, ...USED_IF_COVERED, 'mime-version', 'sender', 'reply-to'];
const EMPTY_BODY = Buffer.from('\r\n\r\n');
/** More signatures would cause too many lookups, and the work grows with the headers and the names in a signature. */
const MAX_SIGNATURES = 10;
const MAX_SIGNATURE_CHARS = 8192;
const MAX_HEADERS = 1000;

const HOUR_MS = 3600_000;
const MAX_AGE_MS = 3 * 24 * HOUR_MS;
/** Clocks of senders may be fast. */
const MAX_AHEAD_MS = HOUR_MS;

/**
 * @param from the only address in its From header
 * @param now when the email was received, in milliseconds
 */
export async function verifySender(
  raw: Uint8Array,
  from: string,
  now: number,
  settings: Settings,
): Promise<Proof | NoProof> {
  const mail = splitMail(raw);
  if (!mail) return refused('its headers are malformed');
  const problem = findProblem(mail, now);
  if (problem !== undefined) return refused(problem);
  const { results } = await dkimVerify(Buffer.from(raw), {
    strict: true,
    resolver: createResolver(settings.dns),
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const proofs: (Proof | NoProof)[] = [];
  for (const { status, signingDomain = '', signingHeaders } of results) {
    const isValid = status.result === 'pass' && !status.underSized && !status.testing;
    if (!isValid || !isSameDomain(signingDomain, domain)) continue;
    const covered = new Set(signingHeaders?.headers.map(fieldName));
    proofs.push(await proofBy(covered, mail, settings));
  }
  const [best = refused('the sender could not be verified (DKIM)')] = proofs.sort(
    (a, b) => rank(a) - rank(b),
  );
  const isTemporary = results.some(({ status }) => status.result === 'temperror');
  return 'why' in best ? { ...best, isTemporary } : best;
}

const refused = (why: string): NoProof => ({ why, isTemporary: false });

/** Problems that no signature can mend. */
function findProblem(mail: SplitMail, now: number): string | undefined {
  const { headers } = mail;
  const signatures = headers.filter(({ name }) => name === 'dkim-signature');
  const isTooMuch =
    headers.length > MAX_HEADERS ||
    signatures.length > MAX_SIGNATURES ||
    signatures.some(({ line }) => line.length > MAX_SIGNATURE_CHARS);
  if (isTooMuch) return 'it has too many headers or signatures, or too long ones';
  const count = (wanted: string) => headers.filter(({ name }) => name === wanted).length;
  const contents = headers.map(({ name }) => name).filter(name => name.startsWith('content-'));
  const twice = [...MAX_ONCE, ...contents].find(name => count(name) > 1);
  if (twice !== undefined) return `it has more than one ${twice} header`;
  const missing = ALWAYS_COVERED.find(name => count(name) === 0);
  if (missing !== undefined) return `it has no ${missing} header`;
  const date = Date.parse(headerValue(mail, 'date') ?? '');
  // NaN fails both comparisons.
  const isRecent = date >= now - MAX_AGE_MS && date <= now + MAX_AHEAD_MS;
  return isRecent ? undefined : 'its date is more than 3 days old, in the future, or unreadable';
}

/** Judges an email by the headers that a valid signature of the domain of From covers. */
async function proofBy(
  covered: ReadonlySet<string>,
  mail: SplitMail,
  { address }: Settings,
): Promise<Proof | NoProof> {
  const missing = ALWAYS_COVERED.filter(name => !covered.has(name));
  if (missing.length > 0) return refused(`its signature does not cover ${missing.join(', ')}`);
  const content = CONTENT.filter(name => !covered.has(name) && isUsed(mail, name));
  const base = [...ALWAYS_COVERED, ...USED_IF_COVERED, ...CONTENT].filter(name => covered.has(name));
  // The covered recipients suffice. Otherwise, the owner sees the other ones.
  for (const recipients of [RECIPIENTS.filter(name => covered.has(name)), RECIPIENTS]) {
    const names = new Set([...base, ...content, ...recipients]);
    const { message_id, to } = await parseMail(withHeaders({ ...mail, body: EMPTY_BODY }, names));
    if (message_id === null) return refused('its Message-ID is unreadable');
    if (!to.includes(address)) continue;
    const open = recipients.filter(name => !covered.has(name) && headerValue(mail, name) !== undefined);
    return { mail: withHeaders(mail, names), message_id, uncovered: [...open, ...content] };
  }
  return refused(`it is not addressed to ${address}`);
}

/** Whether the header changes how the body is read. */
function isUsed(mail: SplitMail, name: string): boolean {
  const value = headerValue(mail, name);
  if (value === undefined) return false;
  return name !== 'content-transfer-encoding' || !/^(?:7bit|8bit|binary)$/i.test(value);
}

const rank = (proof: Proof | NoProof): number =>
  'why' in proof ? Number.POSITIVE_INFINITY : proof.uncovered.length;

const fieldName = (line: string): string => line.slice(0, line.indexOf(':')).trim().toLowerCase();

const isSameDomain = (a: string, b: string): boolean => {
  const domain = domainToASCII(a);
  return domain !== '' && domain === domainToASCII(b);
};

function createResolver(servers: readonly string[] | undefined) {
  const resolver = new Resolver({ timeout: 5000, tries: 2 });
  if (servers) resolver.setServers([...servers]);
  return (domain: string, type: string) => resolver.resolve(domain, type) as Promise<string[]>;
}

interface Header {
  /** Lowercase. */
  name: string;
  /** The complete field on a single line, one character for each byte. */
  line: string;
}

interface SplitMail {
  headers: readonly Header[];
  /** With the empty line before it. */
  body: Buffer;
}

/**
 * Splits a received email into its headers and body, strictly: two parsers could read an ambiguous header
 * differently. Undefined: the headers are malformed.
 */
function splitMail(raw: Uint8Array): SplitMail | undefined {
  const bytes = Buffer.from(raw);
  const text = bytes.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index ?? text.length).replace(/\r\n$/, '');
  if (/\0|\r(?!\n)|(?<!\r)\n/.test(head)) return undefined;
  const headers: Header[] = [];
  for (const line of head.split('\r\n')) {
    const last = headers.at(-1);
    if (/^[ \t]+\S/.test(line) && last) {
      last.line += line;
      continue;
    }
    const [, name] = /^([!-9;-~]+)[ \t]*:/.exec(line) ?? [];
    if (name === undefined) return undefined;
    headers.push({ name: name.toLowerCase(), line });
  }
  return { headers, body: bytes.subarray(end?.index ?? bytes.length) };
}

/** Returns the email without all other headers. */
function withHeaders({ headers, body }: SplitMail, names: ReadonlySet<string>): Buffer {
  const lines = headers.filter(({ name }) => names.has(name)).map(({ line }) => line);
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

/** The text after the name of a header; undefined if the email has none. */
function headerValue({ headers }: SplitMail, wanted: string): string | undefined {
  const line = headers.find(({ name }) => name === wanted)?.line;
  return line?.slice(line.indexOf(':') + 1).trim();
}
