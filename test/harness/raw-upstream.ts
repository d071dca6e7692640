/** A provider that follows no protocol: it responds to each request with the bytes that the test sends. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Upstream } from '../upstream/server.ts';

const HEAD = { 'content-type': 'text/event-stream' };

/** @param answer called for each model request; the response is ended when it resolves */
export async function rawUpstream(answer: (response: ServerResponse) => Promise<void>): Promise<Upstream> {
  const server = createServer(async (incoming, response) => {
    for await (const _ of incoming);
    await answer(response);
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    voice: { requests: [], next() {} },
    next() {
      throw new Error('this provider has no script');
    },
    forget() {},
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Sends a piece repeatedly, as fast as the kernel reads it, until this many bytes are sent or the kernel disconnects;
 * returns the number of bytes.
 */
export async function flood(
  response: ServerResponse,
  piece: string | Buffer,
  bytes: number,
): Promise<number> {
  if (!response.headersSent) response.writeHead(200, HEAD);
  const size = Buffer.byteLength(piece);
  let sent = 0;
  while (sent < bytes && !response.destroyed) {
    const taken = response.write(piece);
    sent += size;
    if (!taken && !response.destroyed) {
      await new Promise<void>(resolve => {
        const go = () => {
          response.off('drain', go).off('close', go);
          resolve();
        };
        response.on('drain', go).on('close', go);
      });
    }
  }
  return sent;
}
