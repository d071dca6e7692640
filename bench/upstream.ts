/**
 * A model provider that costs nothing: chat completions, encoded beforehand, with the number of tokens in the name of
 * the model. "tokens-500" writes each token separately as providers do; "burst-500" writes as much at once as the
 * socket accepts.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const NAME = /"model":\s*"(tokens|burst)-(\d+)"/;

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
const TOKENS_IN_A_BURST = 64;
const BURST = Buffer.concat(Array.from({ length: TOKENS_IN_A_BURST }, () => TOKEN));
const DONE = Buffer.from('data: [DONE]\n\n');

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', piece => body.push(piece));
  request.on('end', () => {
    const [, manner, count] = NAME.exec(Buffer.concat(body).toString('latin1')) ?? [];
    if (!count) response.writeHead(400).end('{"error":{"message":"expected a model such as tokens-500"}}');
    else stream(response, Number(count), manner === 'burst');
  });
});

function stream(response: ServerResponse, count: number, burst: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(ROLE);
  let left = count;
  const next = (): void => {
    if (response.destroyed) return;
    const tokens = burst ? Math.min(left, TOKENS_IN_A_BURST) : Math.min(left, 1);
    left -= tokens;
    const free = response.write(tokens === 1 ? TOKEN : BURST.subarray(0, tokens * TOKEN.length));
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
