/** A network that comes and goes: a TCP proxy before a server, which a test cuts and restores. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutProxy {
  /** http://127.0.0.1:port */
  url: string;
  /** Breaks all connections, and refuses new ones until `restore`. */
  cut(): void;
  /** Lets nothing through until `restore`, and breaks nothing: so a machine looks that vanished. */
  hold(): void;
  /** @param to where the server listens now; default: where it did */
  restore(to?: string): void;
  close(): Promise<void>;
}

/** @param to the address of the server, such as http://127.0.0.1:1234 */
export async function startCutProxy(to: string): Promise<CutProxy> {
  let target = to;
  let away = false;
  let held = false;
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
    hold() {
      held = true;
      for (const [one, two] of pairs) one.unpipe(two).pause();
    },
    restore(now = target) {
      target = now;
      away = false;
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
