/** Simulates people who write mails and read the answers, and runs the module between them and a kernel. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { type ParsedMail, simpleParser } from 'mailparser';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { expect, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import type { Wanted } from '../harness/settings.ts';
import { startUpstream, type Upstream, type UpstreamScript } from '../upstream/server.ts';
import { startDns } from './dns.ts';
import { KERNEL, type MailServers, OWNER, PASSWORD } from './servers.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
/** The domains that sign mails, all with one key. */
const SIGNING = ['owner.test', 'friends.test', 'evil.test'];
const records = {
  ...Object.fromEntries(
    SIGNING.map(domain => [`s1._domainkey.${domain}`, `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]),
  ),
  'owner.test': 'v=spf1 ip4:127.0.0.0/8 -all',
  'friends.test': 'v=spf1 -all',
  'evil.test': 'v=spf1 +all',
};

/**
 * Sends a mail as an external server would.
 * @param signedBy the domain of the signature
 * @param unsigned headers that the signature leaves out, separated by colons
 */
export async function sends(
  servers: MailServers,
  mail: SendMailOptions,
  { signedBy = 'owner.test' as string | null, unsigned = '' } = {},
): Promise<string> {
  const messageId = `<${randomUUID()}@owner.test>`;
  const transport = nodemailer.createTransport({
    ...{ host: '127.0.0.1', port: servers.incomingPort, secure: false, ignoreTLS: true },
    ...(signedBy !== null && {
      dkim: { domainName: signedBy, keySelector: 's1', privateKey, skipFields: unsigned },
    }),
  });
  await transport.sendMail({ from: `The Owner <${OWNER}>`, to: KERNEL, messageId, ...mail });
  transport.close();
  return mail.messageId ?? messageId;
}

const mailsOf = (raws: readonly Buffer[]): Promise<ParsedMail[]> =>
  Promise.all(raws.map(raw => simpleParser(raw)));

/** Waits until an inbox has this many mails, and reads them. */
export async function arrived(servers: MailServers, address: string, count: number): Promise<ParsedMail[]> {
  await vi.waitFor(
    () => {
      const { length } = servers.inbox(address);
      if (length < count) throw new Error(`${length} of ${count} mails have come to ${address}`);
    },
    { timeout: 120_000, interval: 50 },
  );
  const mails = await mailsOf(servers.inbox(address));
  return mails.sort((a, b) => Number(a.date) - Number(b.date));
}

/** The decision word in a mail that asks for a decision. @param label the text after it */
export const wordFor = (mail: ParsedMail | undefined, label: string): string =>
  new RegExp(`\`([A-Z2-9-]{11})\` ${label}`).exec(mail?.text ?? '')?.[1] ?? 'no word';

/** Sends a reply of the user to a mail. */
export const replies = (
  servers: MailServers,
  to: ParsedMail | undefined,
  text: string,
  signedBy: string | null = 'owner.test',
) =>
  sends(
    servers,
    { subject: `Re: ${to?.subject}`, text, inReplyTo: to!.messageId!, references: [to!.messageId!] },
    { signedBy },
  );

interface MailKernel {
  kernel: KernelProcess;
  upstream: Upstream;
  /** Sends SIGKILL only to the module; the kernel restarts it. */
  killModule(): void;
  /** Sends SIGKILL to the kernel, calls the callback, and restarts the kernel. */
  restart(meanwhile?: () => void): Promise<void>;
  dataDir: string;
}

/** Starts a kernel with the module, over ports that may be those of cut proxies. */
export async function startMailKernel(
  servers: MailServers,
  script: UpstreamScript | undefined,
  { module = {}, settings = {} as Wanted, imapPort = servers.imapPort, smtpPort = servers.smtpPort } = {},
): Promise<MailKernel> {
  const { path, remove } = temporaryDirectory();
  const dataDir = join(path, 'data');
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  const server = { host: 'localhost', user: KERNEL, password: PASSWORD };
  const own = {
    address: KERNEL,
    owner: [OWNER],
    imap: { ...server, port: imapPort },
    smtp: { ...server, port: smtpPort },
    tls: { ca: servers.ca },
    dns: [await startDns(records)],
    resend_after_secs: 3,
    ...module,
  };
  writeFileSync(join(dataDir, 'modules/mail.yaml'), JSON.stringify({ module: own }), { mode: 0o600 });
  const upstream = await startUpstream(script);
  const moduleEnded = () =>
    vi.waitFor(() => expect(modulesOf(dataDir)).toEqual([]), { timeout: 30_000, interval: 20 });
  const start = () =>
    startKernelProcess({ upstream, dataDir, settings: { ...settings, modules: { shipped: ['mail'] } } });
  const running: MailKernel = {
    kernel: await start(),
    upstream,
    dataDir,
    killModule() {
      for (const pid of modulesOf(dataDir)) process.kill(pid, 'SIGKILL');
    },
    async restart(meanwhile = () => {}) {
      await running.kernel.kill();
      // The module exits after the kernel.
      await moduleEnded();
      meanwhile();
      running.kernel = await start();
    },
  };
  onTestFinished(async () => {
    await running.kernel.stop();
    // A module that is still exiting could send into the next test.
    await moduleEnded();
    await upstream.close();
    remove();
  });
  await isReading(dataDir);
  return running;
}

/** Waits until the module knows its position in the mailbox: it answers mails from now on. */
const isReading = (dataDir: string): Promise<void> =>
  vi.waitFor(() => expect(rowsOf(dataDir, 'SELECT 1 FROM mailbox')).toHaveLength(1), {
    timeout: 60_000,
    interval: 50,
  });

/** Reads the tables of the module, or changes them with `change`. */
export function rowsOf(
  dataDir: string,
  sql: string,
  { change = false } = {},
): Record<string, SQLOutputValue>[] {
  const database = new DatabaseSync(join(dataDir, 'modules/mail/mail.sqlite'), {
    readOnly: !change,
    timeout: 5000,
  });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

const modulesOf = (dataDir: string): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words.includes(join(dataDir, 'modules/mail')) && words[0]!.endsWith('node');
      } catch {
        return false;
      }
    })
    .map(Number);
