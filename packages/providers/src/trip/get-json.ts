/** Sends GET requests with Node's own HTTP, for lists of models. */
import type { IncomingMessage } from 'node:http';
import { MAX_LIST_BYTES } from './bounds.ts';
import { http, https } from './node-http.ts';

interface GetOptions {
  headers?: Record<string, string>;
  timeoutMs: number;
}

/**
 * Resolves with the response. A list longer than any real one is cut, and is then not valid JSON.
 * @throws Error after the timeout, and if the response is not a success
 */
export function getJson(url: string, { headers = {}, timeoutMs }: GetOptions): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const target = new URL(url);
  const { get } = target.protocol === 'https:' ? https : http;
  const request = get(target, { headers, agent: false, signal: AbortSignal.timeout(timeoutMs) }, answer => {
    read(answer).then(resolve, reject);
  });
  request.on('error', reject);
  return promise;
}

async function read(answer: IncomingMessage): Promise<unknown> {
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 299) {
    answer.destroy();
    throw new Error(`It answered ${statusCode}.`);
  }
  answer.setEncoding('utf8');
  let text = '';
  for await (const piece of answer) {
    text += piece;
    if (text.length > MAX_LIST_BYTES) break;
  }
  return JSON.parse(text.slice(0, MAX_LIST_BYTES));
}
