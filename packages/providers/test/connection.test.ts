/** The connections under the trips: kept for the next trip, and watched byte by byte. */
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

async function serve(answer: (response: ServerResponse) => void, clock: Clock = systemClock) {
  server = createServer((incoming, response) => {
    incoming.resume();
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

test('trips in a row use connections again', async () => {
  const { model, connections } = await serve(response => response.end(ANSWER));
  for (let turn = 0; turn < 10; turn++) expect(textOf((await trip(model)).events)).toBe('ok');
  // The next trip may begin a moment before the connection of the last one is free.
  expect(connections()).toBeLessThan(4);
});

test('fifty trips at once do not wait for each other', async () => {
  const waiting: ServerResponse[] = [];
  const { model } = await serve(response => {
    if (waiting.push(response) === 50) for (const one of waiting) one.end(ANSWER);
  });
  const trips = await Promise.all(Array.from({ length: 50 }, () => trip(model)));
  expect(trips.every(({ events, error }) => !error && textOf(events) === 'ok')).toBe(true);
});

test('signs of life without a word are no silence', async () => {
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
