/** Sends one email over SMTP. Distinguishes failures by whether the server may have accepted the email. */
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { connectionTo, describeError } from './imap.ts';
import { getPassword, type MailSettings } from './settings.ts';
import type { WrittenMail } from './store.ts';

/** The server is unreachable or rejects the login: nothing was sent. */
export class NotReached extends Error {}

type Done<Result> = (error?: Error | null, result?: Result) => void;

/**
 * Sends an email to its recipient and to the mailbox itself. Resolves with the rejected addresses.
 * @throws NotReached, or an error that has a `responseCode` if the server rejected the email; without one, the server
 * may have accepted it
 */
export async function deliver(
  { recipient, raw }: WrittenMail,
  { smtp, tls, address }: MailSettings,
): Promise<readonly string[]> {
  const { doSTARTTLS, ...server } = connectionTo(smtp, tls.ca);
  const connection = new SMTPConnection({
    ...server,
    requireTLS: doSTARTTLS === true,
    ignoreTLS: smtp.security === 'none',
    connectionTimeout: 30_000,
    greetingTimeout: 30_000,
    socketTimeout: 60_000,
    logger: false,
  });
  const broken = new Promise<never>((_, reject) => void connection.on('error', reject));
  broken.catch(() => {});
  const step = <Result>(work: (done: Done<Result>) => void): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    work((error, result) => (error ? reject(error) : resolve(result as Result)));
    return Promise.race([promise, broken]);
  };
  try {
    await step(done => connection.connect(done));
    const auth = { user: smtp.user, pass: getPassword(smtp) };
    if (connection.allowsAuth) await step(done => connection.login(auth, done));
  } catch (error) {
    connection.close();
    throw new NotReached(describeError(error), { cause: error });
  }
  try {
    const envelope = { from: address, to: [...new Set([recipient, address])] };
    const { rejected } = await step<{ rejected: string[] }>(done =>
      connection.send(envelope, Buffer.from(raw), done),
    );
    connection.quit();
    return rejected;
  } catch (error) {
    connection.close();
    throw error;
  }
}
