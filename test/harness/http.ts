/** An HTTP exchange with headers that fetch would not let through and a body that may be read at any pace. */
import { Agent, type IncomingMessage, request } from 'node:http';

export interface Asked {
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Resolves when the head of the answer is there. The body waits until somebody reads it. */
export function exchange(address: string, { method, headers = {}, body }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method, headers, agent }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The whole body. Rejects where the connection breaks before its end. */
export async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Streams stay open beside each other, so there is no limit; a closed kernel must not be found in a pool. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
