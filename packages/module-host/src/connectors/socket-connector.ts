/** Connects to a module that listens on a unix socket (MOD-1). */
import { connect } from 'node:net';
import type { ModuleChannel, ModuleConnector } from './connector.ts';
import { socketAt } from './socket-identity.ts';

export const socketConnector = (path: string): ModuleConnector => ({
  starts: false,
  open: () => connectTo(path),
});

async function connectTo(path: string): Promise<ModuleChannel> {
  const identity = await socketAt(path);
  const { promise, resolve, reject } = Promise.withResolvers<ModuleChannel>();
  const socket = connect({ path });
  const refuse = (error: NodeJS.ErrnoException) =>
    reject(new Error(describeProblem(error, path), { cause: error }));
  socket.once('error', refuse);
  socket.once('connect', () => {
    socket.off('error', refuse);
    resolve({
      readable: socket,
      writable: socket,
      socket: identity,
      async end({ reason }) {
        socket.destroy();
        return reason;
      },
    });
  });
  return promise;
}

function describeProblem({ code, message }: NodeJS.ErrnoException, path: string): string {
  switch (code) {
    case 'ENOENT':
      return `its socket ${path} does not exist`;
    case 'ECONNREFUSED':
      return `no process listens on its socket ${path}`;
    case 'EACCES':
      return `the kernel has no permission to use its socket ${path}`;
    default:
      return `its socket ${path} cannot be used: ${message}`;
  }
}
