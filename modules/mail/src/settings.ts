/** What the owner writes into modules/mail.yaml, in the section `module`. */
import { z } from '@chat-kernel/module-sdk';

const Address = z
  .email()
  .transform(address => address.toLowerCase())
  .describe('An address such as me@example.org.');

const server = (port: number) =>
  z
    .strictObject({
      host: z.string().min(1),
      port: z.int().min(1).max(65_535).default(port),
      /** `starttls`: the connection begins in the clear and is refused where the server offers no TLS. */
      security: z.enum(['tls', 'starttls', 'none']).default('tls'),
      user: z.string().min(1),
      password: z.string().min(1).optional(),
      /** The variable of the environment that has the password. */
      password_env: z.string().min(1).optional(),
    })
    .refine(({ password, password_env }) => (password === undefined) !== (password_env === undefined), {
      path: ['password'],
      message: 'expected either password or password_env',
    })
    .refine(({ password_env }) => password_env === undefined || process.env[password_env], {
      path: ['password_env'],
      message:
        "this variable is not set. A module that the kernel starts gets none of the kernel's variables: write password instead",
    })
    .refine(({ host, security }) => security !== 'none' || LOOPBACK.has(host), {
      path: ['security'],
      message: 'expected tls or starttls: without TLS only a server on this machine is talked to',
    });
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export const MailSettings = z.strictObject({
  /** The address of the mailbox: what answers come from. */
  address: Address,
  /** The name beside that address. */
  name: z.string().min(1).default('Chat Kernel'),
  /** The addresses of the master, who counts as such only where SPF or DKIM prove the address. */
  owner: z.array(Address).min(1),
  imap: server(993),
  smtp: server(465),
  folder: z.string().min(1).default('INBOX'),
  tls: z
    .strictObject({
      /** A file with the certificate of an authority that these servers are signed by. */
      ca: z.string().min(1).optional(),
    })
    .prefault({}),
  /** The name under which one's own mail server writes Authentication-Results, whose word then counts. */
  trusted_authserv_id: z.string().min(1).optional(),
  /** The name by which one's own mail server calls itself in Received: then SPF counts. */
  trusted_mx: z.string().min(1).optional(),
  /** Name servers as `address:port`; default: those of the machine. */
  dns: z.array(z.string().min(1)).optional(),
  /** The directory on the kernel's machine that the chats of the master work in; each change is asked for by mail. */
  workdir: z.string().min(1).optional(),
  /** More answers than these go to no thread within an hour. */
  answers_per_hour: z.int().min(1).default(20),
  /** Longest mail that is read, and the most that an answer brings along. */
  max_mail_bytes: z.int().min(10_000).default(25_000_000),
  /** How long a mail whose sending was cut off is waited for in the mailbox before it is sent again. */
  resend_after_secs: z.number().min(0).default(120),
  digest: z
    .strictObject({
      at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as 07:30'),
      timezone: z.string().default('UTC').refine(isTimezone, 'expected a name such as Europe/Berlin'),
    })
    .optional(),
});
export type MailSettings = z.output<typeof MailSettings>;
export type MailServer = MailSettings['imap'];

export const passwordOf = ({ password, password_env = '' }: MailServer): string =>
  password ?? process.env[password_env] ?? '';

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
