/** A proxy to the kernel that can drop the responses to posted messages after the kernel has stored them, or fail reads. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DeafProxy {
  url: string;
  /** Whether responses to POST .../messages are returned. */
  hears: boolean;
  /** The number of dropped responses. */
  lost: number;
  /** Reads of addresses that contain this text return 500, as from a failing kernel. */
  broken: string | null;
  /** The number of failed reads. */
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
