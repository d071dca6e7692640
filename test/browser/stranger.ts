/** A third-party web server on this machine: an empty page at every address, with all attempts. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Stranger {
  port: number;
  /** http://127.0.0.1:<port> */
  url: string;
  stop(): Promise<void>;
}

export async function startStranger(): Promise<Stranger> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise(resolve => server.close(() => resolve()).closeAllConnections()),
  };
}

/** The program of the page, which defines `attempts` in its global scope. */
const ATTEMPTS = readFileSync(new URL('attempts.js', import.meta.url), 'utf8');
export const PAGE = `<!doctype html><title>Win a prize</title><link rel="icon" href="data:,"><body><script>${ATTEMPTS}</script>`;
