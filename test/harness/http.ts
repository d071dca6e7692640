/** Makes an HTTP request with headers that `fetch` would not allow and a body that can be read at any pace. */
import { Agent, type IncomingMessage, request } from 'node:http';

export interface Asked {
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Resolves when the response headers arrive. The body waits until it is read. */
export function exchange(address: string, { method, headers = {}, body }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method, headers, agent }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Returns the whole body. Rejects if the connection breaks before its end. */
export async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Streams stay open concurrently, so there is no limit; a pool must not return a connection to a closed kernel. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
