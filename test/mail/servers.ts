/** Runs the real Dovecot and the real Postfix on separate ports and in a separate folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { freePort } from '../harness/free-port.ts';
import { makeCertificate } from '../proxy/certificate.ts';
import { dovecotConfig, postfixMain, postfixServices } from './server-config.ts';

/** The existing mailboxes; each is its own login. */
export const KERNEL = 'kernel@kernel.test';
export const OWNER = 'owner@owner.test';
export const BOB = 'bob@friends.test';
export const PASSWORD = 'a-word-of-the-mailbox';
/** The owner of the mailboxes: any user except root. */
const USER = 1500;

export interface MailServers {
  /** The file with the certificate that clients must trust. */
  ca: string;
  imapPort: number;
  /** With TLS and a login. */
  smtpPort: number;
  /** The port for incoming mail. */
  incomingPort: number;
  /** The mails in the inbox of an address, as received. */
  inbox(address: string): Buffer[];
  /** The mails of a folder. */
  folder(address: string, name: string): Buffer[];
  /** The number of mails that the server has accepted but not delivered yet. */
  queued(): number;
  /** Changes the mails of a folder, as a user with another mail program may do. */
  change(address: string, name: string, change: (raw: Buffer) => string): void;
  /** Kills Dovecot with all its processes; resolves when it accepts logins again. */
  killDovecot(): Promise<void>;
  /** Renumbers an inbox (UIDVALIDITY), as after a restored backup. */
  renumber(address: string): Promise<void>;
  /** Removes all mails, the queued ones too, and Dovecot’s index of them. Requires that no client is logged in. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/** The reason why mail cannot be tested here, or false. */
export function missingServers(): string | false {
  const found =
    existsSync('/usr/sbin/dovecot') && existsSync('/usr/sbin/postfix') && process.getuid?.() === 0;
  if (!found && process.env.REQUIRE_ALL) {
    throw new Error(
      'dovecot-imapd and postfix have to be installed, and to be started by root: REQUIRE_ALL is set',
    );
  }
  return found ? false : 'needs dovecot-imapd, postfix and root';
}

export async function startServers(): Promise<MailServers> {
  const { path, remove } = temporaryDirectory();
  chmodSync(path, 0o755);
  const [imapPort, smtpPort, incomingPort] = [await freePort(), await freePort(), await freePort()];
  const { certificate, key } = makeCertificate(path);
  for (const folder of ['mail', 'run', 'postfix', 'queue', 'state']) mkdirSync(join(path, folder));
  chownSync(join(path, 'mail'), USER, USER);
  const addresses = [KERNEL, OWNER, BOB];
  const lines = (each: (address: string) => string) => `${addresses.map(each).join('\n')}\n`;
  writeFileSync(
    join(path, 'users'),
    lines(address => `${address}:{PLAIN}${PASSWORD}`),
  );
  writeFileSync(
    join(path, 'boxes'),
    lines(address => `${address} ${address}/`),
  );
  const ports = { imapPort, smtpPort, incomingPort };
  const given = { path, certificate, key, user: USER, ...ports };
  writeFileSync(join(path, 'dovecot.conf'), dovecotConfig(given));
  writeFileSync(join(path, 'postfix/main.cf'), postfixMain(given));
  writeFileSync(join(path, 'postfix/master.cf'), postfixServices(given));
  const owner = Number(spawnSync('id', ['-u', 'postfix'], { encoding: 'utf8' }).stdout);
  chownSync(join(path, 'state'), owner, owner);

  let dovecot = await startDovecot(path, imapPort);
  const postfix = spawn('/usr/sbin/postfix', ['-c', join(path, 'postfix'), 'start-fg'], { stdio: 'ignore' });
  const stop = async () => {
    // The started process only waits for the serving one.
    spawnSync('/usr/sbin/postfix', ['-c', join(path, 'postfix'), 'stop'], { stdio: 'ignore' });
    await ended(postfix, 'SIGTERM');
    await ended(dovecot, 'SIGTERM');
    remove();
  };
  try {
    await listens(incomingPort, path);
    await listens(smtpPort, path);
  } catch (error) {
    await stop();
    throw error;
  }

  /** The files of a folder, the oldest first. Dovecot moves a mail from `new` to `cur`, so a mail may be seen in both: it counts once. */
  const files = (folder: string): string[] => {
    const found = new Map<string, string>();
    for (const state of ['new', 'cur']) {
      const place = join(folder, state);
      if (!existsSync(place)) continue;
      // The flags of a mail follow its name.
      for (const file of readdirSync(place)) found.set(file.split(':')[0]!, join(place, file));
    }
    return [...found].toSorted(([a], [b]) => arrival(a) - arrival(b)).map(([, file]) => file);
  };
  const read = (folder: string): Buffer[] => {
    for (;;) {
      try {
        return files(folder).map(file => readFileSync(file));
      } catch (error) {
        // Moved between listing and reading.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  };
  const folderOf = (address: string, name: string) => join(path, 'mail', address, `.${name}`);
  const queued = (): number =>
    ['maildrop', 'incoming', 'active', 'deferred']
      .flatMap(state => readdirSync(join(path, 'queue', state), { recursive: true, withFileTypes: true }))
      .filter(entry => entry.isFile()).length;
  return {
    stop,
    ca: certificate,
    ...ports,
    inbox: address => read(join(path, 'mail', address)),
    folder: (address, name) => read(folderOf(address, name)),
    queued,
    change(address, name, change) {
      for (const file of files(folderOf(address, name))) writeFileSync(file, change(readFileSync(file)));
    },
    async killDovecot() {
      await killWhole(dovecot);
      dovecot = await startDovecot(path, imapPort);
    },
    async empty() {
      // One that could not be delivered would stay in the queue for minutes.
      spawnSync('/usr/sbin/postsuper', ['-c', join(path, 'postfix'), '-d', 'ALL'], { stdio: 'ignore' });
      await vi.waitFor(() => expect(queued()).toBe(0), { timeout: 20_000, interval: 20 });
      await killWhole(dovecot);
      for (const address of addresses) rmSync(join(path, 'mail', address), { recursive: true, force: true });
      dovecot = await startDovecot(path, imapPort);
    },
    async renumber(address) {
      await killWhole(dovecot);
      const list = join(path, 'mail', address, 'dovecot-uidlist');
      const [head = '', ...rest] = readFileSync(list, 'utf8').split('\n');
      const next = head.replace(/\bV\d+/, match => `V${Number(match.slice(1)) + 1}`);
      writeFileSync(list, [next, ...rest].join('\n'));
      for (const file of readdirSync(join(path, 'mail', address))) {
        if (/^dovecot\.(?:index|list)/.test(file)) spawnSync('rm', ['-f', join(path, 'mail', address, file)]);
      }
      dovecot = await startDovecot(path, imapPort);
    },
  };
}

/** When a mail arrived, in microseconds: its file is named `SECONDS.V…I…M<MICROSECONDS>.HOST`. */
function arrival(file: string): number {
  const [, seconds, micros] = /^(\d+)\.[^.]*M(\d+)/.exec(file) ?? [];
  return Number(seconds) * 1e6 + Number(micros);
}

async function startDovecot(path: string, port: number): Promise<ChildProcess> {
  const start = () =>
    spawn('/usr/sbin/dovecot', ['-F', '-c', join(path, 'dovecot.conf')], {
      stdio: 'ignore',
      // Its child processes die with its group.
      detached: true,
    });
  let child = start();
  await listens(port, path, () => {
    // A child of the previous one had the port until it died, which is some time after it was killed.
    if (child.exitCode !== null) child = start();
  });
  return child;
}

async function killWhole(child: ChildProcess): Promise<void> {
  // An earlier call may have killed it, and then failed.
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await gone;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Waits until a server listens; if none does, reports the output of the servers. @param before each attempt */
async function listens(port: number, path: string, before = () => {}): Promise<void> {
  const reached = async () => {
    before();
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
    } finally {
      socket.destroy();
    }
  };
  await vi.waitFor(reached, { timeout: 60_000, interval: 50 }).catch(() => {
    const said = ['dovecot.log', 'postfix.log'].map(name => join(path, name)).filter(existsSync);
    expect.fail(`nobody listens at ${port}: ${said.map(file => readFileSync(file, 'utf8')).join('\n')}`);
  });
}
