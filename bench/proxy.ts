/** The baseline of the bench: the simplest proxy that forwards a request and its response. */
import { Agent, request as connect, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const target = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, answer) => {
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
      upstream.pipe(answer);
    },
  );
  outgoing.on('error', () => answer.destroy());
  answer.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`proxy listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
