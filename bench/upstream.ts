/**
 * A model provider that costs nothing: chat completions, encoded beforehand, with the number of tokens in the name of
 * the model, such as "tokens-500". It writes each token separately, as providers do.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const NAME = /"model":\s*"tokens-(\d+)"/;

const chunk = (delta: object, finish: string | null = null): Buffer =>
  event({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }] });
const event = (data: object): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);

const HEAD = {
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'bench',
};
const ROLE = chunk({ role: 'assistant', content: '' });
const TOKEN = chunk({ content: ' token' });
const DONE = Buffer.from('data: [DONE]\n\n');

const server = createServer((request, response) => {
  // A health check that the proxy forwards.
  if (request.method === 'GET') return void response.end();
  const body: Buffer[] = [];
  request.on('data', piece => body.push(piece));
  request.on('end', () => {
    const [, count] = NAME.exec(Buffer.concat(body).toString('latin1')) ?? [];
    if (!count) response.writeHead(400).end('{"error":{"message":"expected a model such as tokens-500"}}');
    else stream(response, Number(count));
  });
});

function stream(response: ServerResponse, count: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(ROLE);
  let left = count;
  const next = (): void => {
    if (response.destroyed) return;
    left--;
    const free = response.write(TOKEN);
    if (left === 0) response.end(Buffer.concat([ending(count), DONE]));
    else if (free) setImmediate(next);
    else response.once('drain', next);
  };
  next();
}

const ending = (count: number): Buffer => {
  const usage = { prompt_tokens: 10, completion_tokens: count, total_tokens: count + 10 };
  return Buffer.concat([chunk({}, 'stop'), event({ ...HEAD, choices: [], usage })]);
};

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`upstream listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
