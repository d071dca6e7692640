/**
 * A proxy between one kernel and its database that simulates a vanished machine: it blocks all data and closes no
 * connection.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface Vanishing {
  /** The address of the database through this proxy. */
  url: string;
  /** Makes the machine vanish as soon as it has sent data with these bytes. Resolves at that moment. */
  vanishBehind(bytes: string): Promise<void>;
}

/** @param to the address of the database. Ends with the test. */
export async function vanishing(to: string): Promise<Vanishing> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let isGone = false;
  let wanted: { bytes: string; vanished: () => void } | undefined;
  const server = createServer(socket => {
    const other = connect(Number(target.port), target.hostname);
    for (const [from, onto] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => onto.destroy());
      from.on('close', () => {
        sockets.delete(from);
        if (!isGone) onto.destroy();
      });
      from.on('data', chunk => {
        if (isGone) return;
        onto.write(chunk);
        if (from !== socket || wanted === undefined || !chunk.includes(wanted.bytes)) return;
        isGone = true;
        wanted.vanished();
      });
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  });
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    vanishBehind(bytes) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wanted = { bytes, vanished: resolve };
      return promise;
    },
  };
}
