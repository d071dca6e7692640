/** Tests where a sign-in may send the kernel: a hostile guest names the addresses. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { authFetch } from '../src/auth/auth-fetch.ts';
import { AUTH_BYTES } from '../src/rules/limits.ts';

const PUBLIC = new URL('https://guest.example/mcp');

/** Starts a server on this machine. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it.each([
  ['https://127.0.0.1/', 'leads to this machine'],
  ['https://[::1]/', 'leads to this machine'],
  ['https://169.254.169.254/latest/meta-data', 'leads to this machine'],
  ['https://10.0.0.1/', 'leads to this machine'],
  ['https://localhost/', 'leads to this machine'],
  ['http://login.example/', 'must use https for the sign-in'],
  ['http://guest.example/', 'must use https for the sign-in'],
])('[MCP-5] does not follow a public server to %s', async (address, reason) => {
  await expect(authFetch(PUBLIC, false)(address)).rejects.toThrow(reason);
});

it('[MCP-5] follows a local server, and one that the user allows, to any address', async () => {
  const address = await serve((request, response) => void response.end(request.headers.accept));
  const headers = { accept: 'application/json' };
  for (const asks of [authFetch(new URL('http://localhost:1/mcp'), false), authFetch(PUBLIC, true)]) {
    const answer = await asks(address, { headers });
    expect(await answer.text()).toBe('application/json');
  }
});

it('[MCP-5] rejects a response that is too large or not HTTP', async () => {
  const asks = authFetch(PUBLIC, true);
  const large = await serve((_request, response) => void response.end(Buffer.alloc(AUTH_BYTES + 1)));
  await expect(asks(large)).rejects.toThrow(`more than ${AUTH_BYTES} bytes`);
  const odd = await serve((_request, response) => void response.writeHead(999).end());
  await expect(asks(odd)).rejects.toThrow('an invalid HTTP response');
  const empty = await serve((_request, response) => void response.writeHead(204).end());
  expect((await asks(empty)).status).toBe(204);
  const cut = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('x');
    response.socket?.destroy();
  });
  await expect(asks(cut)).rejects.toThrow();
});
