/** Opens connections to the mail server and lists its folders. */
import { readFileSync } from 'node:fs';
import { ImapFlow, type SearchObject } from 'imapflow';
import { getPassword, type MailServer, type MailSettings } from './settings.ts';

/** How long an idle connection waits before it starts to listen for new email (IDLE). */
const IDLE_AFTER_MS = 20;
/** How long a silent connection counts as alive. */
export const POLL_INTERVAL_MS = 120_000;

/** Creates a connection without opening it. */
export function imapFor({ imap, tls }: MailSettings): ImapFlow {
  const client = new ImapFlow({
    ...connectionTo(imap, tls.ca),
    auth: { user: imap.user, pass: getPassword(imap) },
    logger: false,
    autoIdleDelay: IDLE_AFTER_MS,
    maxIdleTime: POLL_INTERVAL_MS,
    socketTimeout: 3 * POLL_INTERVAL_MS,
  });
  // An error event without a listener would end the process; the failed call reports the error.
  client.on('error', () => {});
  return client;
}

/** The options for connecting to a server; its certificate is always verified. */
export const connectionTo = ({ host, port, security }: MailServer, ca: string | undefined) => ({
  host,
  port,
  secure: security === 'tls',
  doSTARTTLS: security === 'starttls' ? true : undefined,
  tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca: readFileSync(ca) }) },
});

type Use = 'Sent' | 'Drafts';

/** Returns the folder for this use, and creates it if it does not exist. */
export async function folderFor(client: ImapFlow, use: Use): Promise<string> {
  const folders = await client.list();
  const found = folders.find(({ specialUse, path }) => specialUse === `\\${use}` || path === use);
  return found ? found.path : (await client.mailboxCreate(use)).path;
}

/** Finds the numbers of emails in the open folder. @throws Error if the server did not respond, which differs from "none" */
export async function searched(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  if (!Array.isArray(found)) throw new Error('the mailbox did not respond to a search');
  return found;
}

/** Describes an error, including the response of the server. */
export const describeError = (error: unknown): string => {
  const { message, responseText } = error as Error & { responseText?: string };
  return responseText ? `${message} (${responseText})` : message;
};
