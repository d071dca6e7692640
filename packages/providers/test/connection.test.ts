/** Tests the connections of provider requests: reused for the next request, and watched byte by byte. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '@chat-kernel/kernel';
import { afterEach, expect, test } from 'vitest';
import { openModels } from '../src/index.ts';
import { testClock } from './clock.ts';
import { llmSettings, silentLog, textOf, trip } from './wires.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(
  answer: (response: ServerResponse) => void,
  clock: Clock = systemClock,
  breaks: () => boolean = () => false,
) {
  server = createServer((incoming, response) => {
    incoming.resume();
    if (breaks()) return void incoming.socket.resetAndDestroy();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer(response);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const models = await openModels({
    secrets: [],
    llm: llmSettings({
      providers: { p: { kind: 'openai-compatible', base_url, timeout_secs: 120 } },
      models: [{ id: 'p/m' }],
    }),
    env: {},
    clock,
    log: silentLog,
  });
  return { model: models.default()!, connections: () => connections };
}

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const ANSWER = `${chunk({ content: 'ok' })}${chunk({}, 'stop')}data: [DONE]\n\n`;

test('reuses connections for consecutive requests', async () => {
  const { model, connections } = await serve(response => response.end(ANSWER));
  for (let turn = 0; turn < 10; turn++) expect(textOf((await trip(model)).events)).toBe('ok');
  // The next provider request may begin shortly before the last connection is free.
  expect(connections()).toBeLessThan(4);
});

test('runs fifty simultaneous requests without waiting', async () => {
  const waiting: ServerResponse[] = [];
  const { model } = await serve(response => {
    if (waiting.push(response) === 50) for (const one of waiting) one.end(ANSWER);
  });
  const trips = await Promise.all(Array.from({ length: 50 }, () => trip(model)));
  expect(trips.every(({ events, error }) => !error && textOf(events) === 'ok')).toBe(true);
});

test('does not treat heartbeats without text as silence', async () => {
  const clock = testClock({ hurried: false });
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const { model } = await serve(response => resolve(response), clock);
  const running = trip(model);
  const response = await promise;
  for (let minute = 0; minute < 4; minute++) {
    response.write(': still thinking\n\n');
    await new Promise(done => setTimeout(done, 20));
    clock.advance(100_000);
  }
  response.end(ANSWER);
  expect(await running).toMatchObject({ error: undefined });
});

/** Serves `count` concurrent requests, so that as many connections stay open, and then resets `resets` requests. */
async function serveThenReset(count: number, resets: number) {
  const waiting: ServerResponse[] = [];
  let requests = 0;
  const clock = testClock();
  const answer = (response: ServerResponse) => {
    if (waiting.length >= count) response.end(ANSWER);
    else if (waiting.push(response) === count) for (const one of waiting) one.end(ANSWER);
  };
  const breaks = () => waiting.length >= count && ++requests <= resets;
  const { model } = await serve(answer, clock, breaks);
  await Promise.all(Array.from({ length: count }, () => trip(model)));
  // The last bytes of the responses free their connections shortly after the provider requests have ended.
  await new Promise(done => setTimeout(done, 20));
  return { model, requests: () => requests, retryPauses: () => clock.pauses.filter(ms => ms < 2000) };
}

test('sends at most four requests if the server resets each, for any number of idle connections', async () => {
  const { model, requests } = await serveThenReset(40, Number.POSITIVE_INFINITY);
  const { error } = await trip(model);
  expect(error).toMatchObject({ code: 'upstream_error', retryable: true });
  expect(requests()).toBe(4);
});

test('retries on a new connection without a pause if an idle connection is closed', async () => {
  const { model, requests, retryPauses } = await serveThenReset(5, 1);
  const { events, error } = await trip(model);
  expect(error).toBeUndefined();
  expect(textOf(events)).toBe('ok');
  expect(requests()).toBe(2);
  expect(retryPauses()).toEqual([0]);
});
