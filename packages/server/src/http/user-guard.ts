/**
 * Accepts connections over loopback only from the user of the kernel, from root, and from users that the settings name
 * (CONSENT-11): the kernel requires no login, and every process of the machine can reach its port.
 */
import { access } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '@chat-kernel/kernel';
import { KernelError, type Settings } from '@chat-kernel/protocol';
import { isLoopback, SettingsError } from '@chat-kernel/settings';
import {
  addRefusedUser,
  describeUser,
  findUserId,
  readRefusedUsers,
} from '@chat-kernel/settings/refused-users';
import type { FastifyInstance } from 'fastify';
import { findPeerUser, SOCKET_TABLES } from './peer-user.ts';

const ROOT = 0;
/** Time in which a refused connection can send its request and receive the refusal. */
const REFUSED_MS = 2000;
/** Further refused connections are closed at once: idle ones would use up the files that the process can open. */
const MAX_REFUSED_OPEN = 32;
/** Users to log: containers can have thousands of user ids. */
const MAX_LOGGED = 32;

type GuardSettings = Pick<Settings, 'data_dir'> & {
  server: Pick<Settings['server'], 'host' | 'behind_proxy' | 'allowed_users'>;
};
interface Verdict {
  isAllowed: boolean;
  uid: number | undefined;
}

/**
 * Guards all connections, where this is possible and the settings do not say that a proxy guards the kernel.
 * @param findUserOf finds the user at the other end of a connection
 * @throws SettingsError if an allowed user does not exist
 */
export async function guardUsers(
  app: FastifyInstance,
  settings: GuardSettings,
  log: Log,
  findUserOf: (socket: Socket) => Promise<number | undefined> = findPeerUser,
): Promise<void> {
  const { host, behind_proxy, allowed_users } = settings.server;
  if (behind_proxy || !isLoopback(host) || process.platform !== 'linux') return;
  const allowed = new Set([process.geteuid?.() ?? ROOT, ROOT]);
  for (const name of allowed_users) allowed.add(await findUser(name));
  if (!(await canReadTables())) {
    log.warn({}, `Every user of this machine can use the kernel: ${SOCKET_TABLES[0]} is not readable.`);
    return;
  }
  await warnAboutEarlier(settings.data_dir, allowed, log);
  const refusals = new Refusals(settings.data_dir, log);
  /** A connection keeps its user. */
  const verdicts = new WeakMap<Socket, Promise<Verdict>>();
  /** Connections that end with their first refusal: their further requests get no response. */
  const ending = new WeakSet<Socket>();
  const judge = (socket: Socket): Promise<Verdict> => {
    const known = verdicts.get(socket);
    if (known) return known;
    const verdict = findUserOf(socket).then(uid => {
      const isAllowed = uid !== undefined && allowed.has(uid);
      if (!isAllowed) refusals.add(socket, uid);
      return { isAllowed, uid };
    });
    verdicts.set(socket, verdict);
    // The next request of the connection looks its user up again.
    verdict.catch(() => verdicts.delete(socket));
    return verdict;
  };
  // Interfaces call the kernel of their own process over connections without a socket.
  app.server.on('connection', (socket: Duplex) => {
    if (!(socket instanceof Socket)) return;
    // The request of the connection reports an error.
    judge(socket).catch(() => socket.setTimeout(REFUSED_MS, () => socket.destroy()));
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    if (!(socket instanceof Socket)) {
      done();
      return;
    }
    // For host localhost Fastify listens a second time, with a server that is not app.server.
    judge(socket).then(
      ({ isAllowed, uid }) => {
        if (isAllowed) {
          done();
          return;
        }
        if (ending.has(socket)) return;
        ending.add(socket);
        // A user is unknown also if the connection ended before the lookup: only one with a request is reported.
        refusals.report(uid);
        reply.header('connection', 'close');
        done(new KernelError('forbidden_user', describeRefusal(uid)));
      },
      error => done(error),
    );
  });
}

/** Closes refused connections, and reports each refused user once. */
class Refusals {
  readonly #dataDir: string;
  readonly #log: Log;
  readonly #logged = new Set<number | undefined>();
  #open = 0;

  constructor(dataDir: string, log: Log) {
    this.#dataDir = dataDir;
    this.#log = log;
  }

  add(socket: Socket, uid: number | undefined): void {
    if (uid !== undefined) this.report(uid);
    if (this.#open >= MAX_REFUSED_OPEN) socket.destroy();
    if (socket.destroyed) return;
    this.#open++;
    const timer = setTimeout(() => socket.destroy(), REFUSED_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#open--;
    });
  }

  /** Once for each user: a program may try again every second. */
  report(uid: number | undefined): void {
    if (this.#logged.has(uid) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(uid);
    this.#log.warn({ uid: uid ?? null }, describeRefusal(uid));
    if (uid === undefined) return;
    try {
      addRefusedUser(this.#dataDir, uid);
    } catch (error) {
      this.#log.warn({ err: error }, 'Storing the refused user for the doctor failed.');
    }
  }
}

function describeRefusal(uid: number | undefined): string {
  const user = uid === undefined ? 'an unknown user' : `the user with the id ${uid}`;
  return (
    `The kernel accepts no requests from ${user} of this machine. ` +
    'To allow a user, add the name to server.allowed_users. Behind a proxy, set server.behind_proxy: true.'
  );
}

async function warnAboutEarlier(dataDir: string, allowed: ReadonlySet<number>, log: Log): Promise<void> {
  const users = readRefusedUsers(dataDir).filter(({ uid }) => !allowed.has(uid));
  if (users.length === 0) return;
  const names = await Promise.all(users.map(({ uid }) => describeUser(uid)));
  log.warn(
    { uids: users.map(({ uid }) => uid) },
    `The kernel refused connections of ${names.join(', ')} before. To allow a user, add the name to server.allowed_users.`,
  );
}

async function canReadTables(): Promise<boolean> {
  try {
    await access(SOCKET_TABLES[0]);
    return true;
  } catch {
    return false;
  }
}

/** Returns the id of a user. @throws SettingsError */
async function findUser(name: string): Promise<number> {
  const uid = await findUserId(name);
  if (uid !== undefined) return uid;
  throw new SettingsError([`server.allowed_users: there is no user ${JSON.stringify(name)} on this machine`]);
}
