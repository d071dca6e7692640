/**
 * Who has written a mail, as far as it is proved. A From alone proves nothing: the domain of the address has to have signed
 * the mail (DKIM), or to say that the server it came from may send for it (SPF), or one's own server says that it checked.
 */
import { Resolver } from 'node:dns/promises';
import { authenticate } from 'mailauth';
import type { MailSettings } from './settings.ts';

interface Proof {
  /** Why the address counts, or null: it proves nothing. */
  by: 'dkim' | 'spf' | 'server' | null;
  /** Of the signatures that hold: the same mail sent again by somebody else has the same. */
  signatures: string[];
  /** What would prove it could not be looked up now. */
  passing: boolean;
}

type Settings = Pick<MailSettings, 'trusted_authserv_id' | 'trusted_mx' | 'dns'>;

/** @param from the address that has to be proved */
export async function proofOf(raw: Uint8Array, from: string, settings: Settings): Promise<Proof> {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const message = Buffer.from(raw);
  const head = headersOf(message);
  const trustReceived = isFromOwnServer(head, settings.trusted_mx);
  const { dkim, spf } = await authenticate(message, {
    trustReceived,
    disableArc: true,
    disableBimi: true,
    disableDmarc: true,
    mta: settings.trusted_mx ?? 'localhost',
    resolver: resolverOf(settings.dns),
  });
  const holding = dkim.results.filter(
    ({ status, signingHeaders }) =>
      // A signature of a part of the body says nothing of what somebody has put behind it.
      status.result === 'pass' &&
      !status.underSized &&
      /(?:^|[:\s])from(?:$|[:\s])/i.test(signingHeaders?.keys ?? ''),
  );
  const passing = [
    ...dkim.results.map(({ status }) => status),
    ...(trustReceived && spf ? [spf.status] : []),
  ].some(({ result }) => result === 'temperror');
  const signatures = holding.flatMap(({ signature }) => signature ?? []);
  if (holding.some(({ status }) => status.aligned)) return { by: 'dkim', signatures, passing };
  if (trustReceived && spf && isProvedBySpf(spf, domain)) return { by: 'spf', signatures, passing };
  const { trusted_authserv_id: server } = settings;
  if (server !== undefined && saysPass(head, server, domain)) return { by: 'server', signatures, passing };
  return { by: null, signatures, passing };
}

type Header = { name: string; value: string };

function headersOf(message: Buffer): Header[] {
  const text = message.toString('latin1');
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map(line => ({
      name: line.slice(0, line.indexOf(':')).trim().toLowerCase(),
      value: line.slice(line.indexOf(':') + 1).trim(),
    }));
}

/** The first Received is that of the last server: one's own, where it says that name. */
function isFromOwnServer(head: readonly Header[], server: string | undefined): boolean {
  const received = head.find(({ name }) => name === 'received')?.value.toLowerCase();
  return (
    server !== undefined &&
    received !== undefined &&
    received.split(' by ')[1]?.split(' ')[0] === server.toLowerCase()
  );
}

/** The sender of the envelope has to be of the same domain as the From. */
const isProvedBySpf = (
  { status }: { status: { result: string; smtp?: { mailfrom?: string } } },
  domain: string,
): boolean => {
  const sender = status.smtp?.mailfrom?.toLowerCase() ?? '';
  return status.result === 'pass' && sender.slice(sender.lastIndexOf('@') + 1) === domain;
};

/** Only the first Authentication-Results counts, and only of that server: what stands below anybody may have written. */
function saysPass(head: readonly Header[], server: string, domain: string): boolean {
  const first = head.find(({ name }) => name === 'authentication-results')?.value.toLowerCase();
  const [id, ...results] = withoutAsides(first ?? '')
    .split(';')
    .map(part => part.trim());
  if (id?.split(' ')[0] !== server.toLowerCase()) return false;
  return results.some(result => {
    const words = result.split(/\s+/);
    const names = PROVING[words[0] ?? ''] ?? [];
    return words.some(word => names.some(name => word.startsWith(`${name}=`) && domainIn(word) === domain));
  });
}

/** Comments and quoted words are what strangers may have said. */
function withoutAsides(value: string): string {
  let left = value.replace(/"[^"]*"/g, '');
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replace(/\([^()]*\)/g, ' ');
  }
  return left;
}

/** Result → the properties whose domain it proves. */
const PROVING: Readonly<Record<string, readonly string[]>> = {
  'dmarc=pass': ['header.from'],
  'dkim=pass': ['header.d', 'header.i'],
  'spf=pass': ['smtp.mailfrom'],
};

const domainIn = (word: string): string => word.slice(Math.max(word.lastIndexOf('@'), word.indexOf('=')) + 1);

function resolverOf(servers: readonly string[] | undefined) {
  const resolver = new Resolver({ timeout: 5000, tries: 2 });
  if (servers) resolver.setServers([...servers]);
  return (domain: string, type: string) => resolver.resolve(domain, type) as Promise<string[]>;
}
