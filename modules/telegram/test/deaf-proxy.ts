/** A way to the kernel on which the answers to posted messages may get lost, though the kernel has the message, and others fail. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DeafProxy {
  url: string;
  /** Answers to POST .../messages come through. */
  hears: boolean;
  /** How many did not. */
  lost: number;
  /** What is read at addresses that have this in them is 500, as of a kernel that has trouble. */
  broken: string | null;
  /** How often it was. */
  failed: number;
  close(): void;
}

export async function startDeafProxy(to: string): Promise<DeafProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const deaf = !proxy.hears && method === 'POST' && url.endsWith('/messages');
    if (proxy.broken !== null && method === 'GET' && url.includes(proxy.broken)) {
      proxy.failed += 1;
      outgoing.writeHead(500).end();
      return;
    }
    const { host: _, ...rest } = headers;
    const onward = request(`${to}${url}`, { method, headers: rest }, answer => {
      if (deaf) {
        proxy.lost += 1;
        return answer.resume();
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      return answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const proxy: DeafProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hears: true,
    lost: 0,
    broken: null,
    failed: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
