/** Settings in modules/mail.yaml, section `module`. */
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
      /** `starttls`: the connection starts unencrypted, and is rejected if the server does not offer TLS. */
      security: z.enum(['tls', 'starttls', 'none']).default('tls'),
      user: z.string().min(1),
      password: z.string().min(1).optional(),
      /** The environment variable that contains the password. */
      password_env: z.string().min(1).optional(),
    })
    .refine(({ password, password_env }) => (password === undefined) !== (password_env === undefined), {
      path: ['password'],
      message: 'expected either password or password_env',
    })
    .refine(({ password_env }) => password_env === undefined || process.env[password_env], {
      path: ['password_env'],
      message:
        'this variable is not set. Modules do not inherit the environment of the kernel that starts them: set password instead',
    })
    .refine(({ host, security }) => security !== 'none' || LOOPBACK.has(host), {
      path: ['security'],
      message: 'expected tls or starttls: connections without TLS are limited to servers on this machine',
    });
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export const MailSettings = z.strictObject({
  /** The address of the mailbox, from which answers are sent. */
  address: Address,
  /** The display name for that address. */
  name: z.string().min(1).default('Chat Kernel'),
  /** The addresses of the master. They are accepted only with a DKIM signature of their domain. */
  owner: z.array(Address).min(1),
  imap: server(993),
  smtp: server(465),
  folder: z.string().min(1).default('INBOX'),
  tls: z
    .strictObject({
      /** A file with the certificate of the authority that signed the certificates of these servers. */
      ca: z.string().min(1).optional(),
    })
    .prefault({}),
  /** Without effect: what a server says about an email does not cover its headers. Existing settings files may have it. */
  trusted_authserv_id: z.string().min(1).optional(),
  /** Without effect: SPF does not cover the email. Existing settings files may have it. */
  trusted_mx: z.string().min(1).optional(),
  /** Name servers as `address:port`; default: those of the system. */
  dns: z.array(z.string().min(1)).optional(),
  /** The working directory, on the kernel's machine, of the master's chats. Each change needs an approval by email. */
  workdir: z.string().min(1).optional(),
  /** The maximum number of answers to one thread within an hour. */
  answers_per_hour: z.int().min(1).default(20),
  /** The maximum size of a received email, and of an answer with its attachments. */
  max_mail_bytes: z.int().min(10_000).default(25_000_000),
  /** How long the copy of an email whose sending was interrupted is awaited before the email is sent again. */
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

export const getPassword = ({ password, password_env = '' }: MailServer): string =>
  password ?? process.env[password_env] ?? '';

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
