/** A proxy between client and kernel that can break and restore connections. */
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface Cutter {
  url: string;
  /** Number of connections opened so far. */
  connections: number;
  /** Breaks all open connections, like a network failure. */
  cut(): void;
  /** Breaks the next connections in turn, each after this many bytes from the kernel. */
  cutAfter(...bytes: number[]): void;
  /** Refuses new connections, until it is called with false. */
  refuse(refused: boolean): void;
  /** Redirects new connections, for example to a kernel that restarted on another port. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

export async function startCutter(kernelUrl: string): Promise<Cutter> {
  const open = new Set<Socket>();
  let limits: number[] = [];
  let refused = false;
  let target = new URL(kernelUrl);
  const server = createServer(inner => {
    if (refused) return void inner.destroy();
    cutter.connections++;
    let left = limits.shift() ?? Number.POSITIVE_INFINITY;
    const outer = connect(Number(target.port), target.hostname);
    const end = () => {
      inner.destroy();
      outer.destroy();
      open.delete(inner);
    };
    open.add(inner);
    for (const socket of [inner, outer]) socket.setNoDelay().on('error', end).on('close', end);
    inner.on('data', chunk => outer.write(chunk));
    outer.on('data', (chunk: Buffer) => {
      const piece = chunk.subarray(0, left);
      left -= chunk.length;
      inner.write(piece, left <= 0 ? end : undefined);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const cutter: Cutter = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 0,
    cut() {
      for (const socket of open) socket.resetAndDestroy();
    },
    cutAfter(...bytes) {
      limits = bytes;
    },
    refuse(next) {
      refused = next;
    },
    leadTo(url) {
      target = new URL(url);
    },
    close() {
      for (const socket of open) socket.destroy();
      return new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
  return cutter;
}
