/** Simulates an unreliable network: a TCP proxy in front of a server, which a test cuts and restores. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutProxy {
  /** http://127.0.0.1:port */
  url: string;
  /** Closes all connections, and refuses new ones until `restore`. */
  cut(): void;
  /** Blocks all data until `restore` without closing a connection: this is how a vanished machine looks. */
  hold(): void;
  /** Like `hold`, once clients have sent this many more bytes to the server. */
  holdAfter(bytes: number): void;
  /** @param to the current address of the server; default: the previous one */
  restore(to?: string): void;
  close(): Promise<void>;
}

/** @param to the address of the server, such as http://127.0.0.1:1234 */
export async function startCutProxy(to: string): Promise<CutProxy> {
  let target = to;
  let away = false;
  let held = false;
  /** The remaining bytes of clients that the proxy forwards. */
  let left = Number.POSITIVE_INFINITY;
  const hold = () => {
    held = true;
    for (const [one, two] of pairs) one.unpipe(two).pause();
  };
  const pairs = new Set<readonly [Socket, Socket]>();
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    if (away) {
      socket.destroy();
      return;
    }
    const other = connect(Number(new URL(target).port), '127.0.0.1');
    for (const pair of [
      [socket, other],
      [other, socket],
    ] as const) {
      const [one, two] = pair;
      sockets.add(one);
      pairs.add(pair);
      one.on('error', () => two.destroy());
      one.on('close', () => {
        sockets.delete(one);
        pairs.delete(pair);
        two.destroy();
      });
      if (!held) one.pipe(two);
    }
    socket.on('data', ({ length }) => {
      left -= length;
      if (left <= 0) hold();
    });
    if (held) socket.pause();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      away = true;
      breakAll();
    },
    hold,
    holdAfter(bytes) {
      left = bytes;
    },
    restore(now = target) {
      target = now;
      away = false;
      left = Number.POSITIVE_INFINITY;
      if (held) for (const [one, two] of pairs) one.pipe(two);
      held = false;
    },
    close: () =>
      new Promise(resolve => {
        breakAll();
        server.close(() => resolve());
      }),
  };
}
