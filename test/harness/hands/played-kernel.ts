/** A kernel that is played: it streams what a test sends to a client with hands, and records what the client posts. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf } from '../http.ts';

export type PlayedKernel = Awaited<ReturnType<typeof playKernel>>;

/** Starts it. The test chooses the events of its stream. */
export async function playKernel() {
  const started: unknown[] = [];
  const posted: Record<string, unknown>[] = [];
  const streams: ServerResponse[] = [];
  let answered = () => {};
  const server = createServer(async (request, response) => {
    const text = (await bytesOf(request)).toString();
    if (!request.url?.includes('/ops/')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.push(response);
      if (text !== '') started.push(JSON.parse(text));
      return;
    }
    const body = JSON.parse(text);
    const progress = request.url.endsWith('/progress');
    // Delay progress, so that a client that does not wait for it posts its result first.
    if (progress) await sleep(20);
    posted.push(body);
    const resolution = { id: body.id, kind: 'op', reason: 'answered' };
    const ok = progress ? { ok: true } : { ok: true, resolution };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ok));
    answered();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    started,
    posted,
    send: (...events: object[]) => {
      for (const event of events) streams[0]?.write(`data: ${JSON.stringify(event)}\nid: 1\n\n`);
    },
    /** Resolves once this many bodies were posted. */
    async until(count: number) {
      while (posted.length < count) await new Promise<void>(resolve => (answered = resolve));
    },
    end: () => streams[0]?.end(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
