/** One mail over SMTP. What counts about a failure is whether the server may have the mail. */
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { connectionTo, sentenceOf } from './imap.ts';
import { type MailSettings, passwordOf } from './settings.ts';
import type { WrittenMail } from './store.ts';

/** The server is away, or refuses the login: nothing was sent. */
export class NotReached extends Error {}

type Done<Result> = (error?: Error | null, result?: Result) => void;

/**
 * Gives a mail to the server, for its recipient and the mailbox itself. Resolves with the addresses that were refused.
 * @throws NotReached; else an error with the `responseCode` of a clear no, or without one: then the server may have it
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
    const auth = { user: smtp.user, pass: passwordOf(smtp) };
    if (connection.allowsAuth) await step(done => connection.login(auth, done));
  } catch (error) {
    connection.close();
    throw new NotReached(sentenceOf(error), { cause: error });
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
