/** A unix socket at which only its owner can speak, there from one moment to the next. */
import { chmod, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';

export interface Listening {
  /** Takes the socket away, if it is still this one. Connections that are open stay. */
  close(): Promise<void>;
}

/**
 * Listens at a path, in the place of a socket that a dead process left.
 * @throws Error where something else stands there, or somebody answers at it
 */
export async function listen(path: string, onConnection: (socket: Socket) => void): Promise<Listening> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await checkFree(path);
  const server = createServer(onConnection);
  // Bound under another name, and moved when it is ready: whoever finds it can connect, and nobody else could before.
  const birth = join(dirname(path), `.${process.pid}`);
  await unlink(birth).catch(ignoreMissing);
  await bound(server, birth);
  await chmod(birth, 0o600);
  await rename(birth, path);
  const { ino } = await lstat(path);
  return {
    async close() {
      server.close();
      const now = await lstat(path).catch(ignoreMissing);
      if (now?.ino === ino) await unlink(path).catch(ignoreMissing);
    },
  };
}

async function checkFree(path: string): Promise<void> {
  const there = await lstat(path).catch(ignoreMissing);
  if (there === undefined) return;
  if (!there.isSocket()) throw new Error(`${path} is there already, and is no socket.`);
  if (await answers(path)) throw new Error(`Another process listens at ${path}.`);
}

const answers = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.on('connect', () => settle(true)).on('error', () => settle(false));
  });

const bound = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
