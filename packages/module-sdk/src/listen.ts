/** Listens on a unix socket that only its owner may use, and that appears atomically. */
import { chmod, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';

export interface ListeningSocket {
  /** Removes the socket, unless another process has replaced it. Open connections stay. */
  close(): Promise<void>;
}

/**
 * Listens at a path, and replaces a socket that a dead process left there.
 * @throws Error if the path has another kind of file, or a process listens there
 */
export async function listen(path: string, onConnection: (socket: Socket) => void): Promise<ListeningSocket> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await checkFree(path);
  const server = createServer(onConnection);
  // The socket is bound under another name and moved when it is ready, so that it never exists without protection.
  const temporary = join(dirname(path), `.${process.pid}`);
  await unlink(temporary).catch(ignoreMissing);
  await bound(server, temporary);
  await chmod(temporary, 0o600);
  await rename(temporary, path);
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
