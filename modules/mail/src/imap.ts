/** Connections to the mail servers, and the folders that are there. */
import { readFileSync } from 'node:fs';
import { ImapFlow, type SearchObject } from 'imapflow';
import { type MailServer, type MailSettings, passwordOf } from './settings.ts';

/** The wait before a connection with nothing to do listens for the next mail. */
const IDLE_AFTER_MS = 20;
/** How long a silent connection is believed to be whole. */
export const LOOK_AGAIN_MS = 120_000;

/** A connection that is not opened yet. */
export function imapFor({ imap, tls }: MailSettings): ImapFlow {
  const client = new ImapFlow({
    ...connectionTo(imap, tls.ca),
    auth: { user: imap.user, pass: passwordOf(imap) },
    logger: false,
    autoIdleDelay: IDLE_AFTER_MS,
    maxIdleTime: LOOK_AGAIN_MS,
    socketTimeout: 3 * LOOK_AGAIN_MS,
  });
  // An event without a listener would end the process; what went wrong is told by the call that failed.
  client.on('error', () => {});
  return client;
}

/** How to reach a server; its certificate is always verified. */
export const connectionTo = ({ host, port, security }: MailServer, ca: string | undefined) => ({
  host,
  port,
  secure: security === 'tls',
  doSTARTTLS: security === 'starttls' ? true : undefined,
  tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca: readFileSync(ca) }) },
});

type Use = 'Sent' | 'Drafts';

/** The folder for a use, made where there is none. */
export async function folderFor(client: ImapFlow, use: Use): Promise<string> {
  const folders = await client.list();
  const found = folders.find(({ specialUse, path }) => specialUse === `\\${use}` || path === use);
  return found ? found.path : (await client.mailboxCreate(use)).path;
}

/** The numbers of the mails in the open folder that are meant. @throws Error where the server did not say: that is no "none" */
export async function searched(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  if (!Array.isArray(found)) throw new Error('the mailbox did not answer a search');
  return found;
}

/** What went wrong, with what the server said. */
export const sentenceOf = (error: unknown): string => {
  const { message, responseText } = error as Error & { responseText?: string };
  return responseText ? `${message} (${responseText})` : message;
};
