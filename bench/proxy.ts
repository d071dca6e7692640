/**
 * The baselines of the bench: the simplest proxy that forwards a request and its response, and, with a folder as the
 * second argument, the simplest one that also stores both: the request before it is forwarded, and the response before
 * the client gets its end.
 */
import { open } from 'node:fs/promises';
import {
  Agent,
  request as connect,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

const [, , url = '', folder] = process.argv;
const target = new URL(url);
const file = folder === undefined ? undefined : await open(join(folder, 'stored'), 'a');
const agent = new Agent({ keepAlive: true });
const END = 'data: [DONE]';

const server = createServer(async (incoming, answer) => {
  const body = file && (await buffer(incoming));
  if (body) await store(body);
  const outgoing = connect(
    {
      host: target.hostname,
      port: target.port,
      path: incoming.url,
      method: incoming.method,
      headers: incoming.headers,
      agent,
    },
    upstream => {
      answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
      answer.flushHeaders();
      if (file) forwardAndStore(upstream, answer);
      else upstream.pipe(answer);
    },
  );
  outgoing.on('error', () => answer.destroy());
  answer.on('close', () => outgoing.destroy());
  if (body) outgoing.end(body);
  else incoming.pipe(outgoing);
});

function forwardAndStore(upstream: IncomingMessage, answer: ServerResponse): void {
  const pieces: Buffer[] = [];
  let end: Buffer | undefined;
  upstream.on('data', (piece: Buffer) => {
    pieces.push(piece);
    if (piece.includes(END)) end = piece;
    else answer.write(piece);
  });
  upstream.on('end', async () => {
    await store(Buffer.concat(pieces));
    answer.end(end);
  });
}

async function store(bytes: Buffer): Promise<void> {
  await file?.write(bytes);
  await file?.datasync();
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`proxy listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
