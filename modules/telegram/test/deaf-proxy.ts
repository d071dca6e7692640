/** A way to the kernel on which the answers to posted messages may get lost: the kernel has the message all the same. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DeafProxy {
  url: string;
  /** Answers to POST .../messages come through. */
  hears: boolean;
  /** How many did not. */
  lost: number;
  close(): void;
}

export async function startDeafProxy(to: string): Promise<DeafProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const deaf = !proxy.hears && method === 'POST' && url.endsWith('/messages');
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
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
