/** A relay whose address stays the same while the kernel behind it is killed and started again. */
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface Relay {
  url: string;
  /** Sets the target of new connections; null: they are refused. */
  target(url: string | null): void;
  close(): Promise<void>;
}

export async function startRelay(): Promise<Relay> {
  let port: number | null = null;
  const open = new Set<Socket>();
  const server = createServer(outside => {
    if (port === null) {
      outside.destroy();
      return;
    }
    const inside = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: url => {
      port = url === null ? null : Number(new URL(url).port);
    },
    close: () =>
      new Promise(resolve => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
