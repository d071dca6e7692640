/** Tests tool calls on another kernel: the outcome of each, whatever happens to the connection (FLEET-4). */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inTrace, type RemoteCall, RemoteCallError } from '@chat-kernel/kernel';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { callRemoteKernel } from '../src/fleet/remote-call.ts';

const CALL: RemoteCall = {
  id: '01936f7e-5b5a-7c7d-8000-000000000001',
  name: 'radio_echo',
  input: {},
  turn_context: {
    chat_id: '01936f7e-5b5a-7c7d-8000-000000000002',
    sender: '',
    master: true,
    trusted: true,
    privileged: true,
    client_ops: false,
  },
};

/** A kernel that responds to calls like this, and the number and the traces of its requests. */
async function kernelThat(answer: (response: ServerResponse, url: string) => void, id = 'there') {
  let asked = 0;
  const traces: unknown[] = [];
  const server = createServer((request, response) => {
    asked++;
    traces.push(request.headers.traceparent);
    response.setHeader('x-kernel', id);
    request.resume().on('end', () => answer(response, request.url ?? ''));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, times: () => asked, traces };
}

type Scope = Parameters<NonNullable<ReturnType<typeof callRemoteKernel>>>[2];
const expired: Scope['askOwner'] = async () => ({ reason: 'expired' });

/** Makes the call, and returns its output and progress, or whether it may have run. */
async function call(url: string, signal = new AbortController().signal, askOwner = expired) {
  const shown: string[] = [];
  const run = callRemoteKernel({ id: 'here', secret: 's', now: Date.now }, { countHop() {} });
  const scope = {
    signal,
    progress: (output: string) => void shown.push(output),
    askOwner,
    consentToAct: async () => {},
  };
  try {
    return { output: await run!({ id: 'there', name: 'right', url }, CALL, scope), shown };
  } catch (error) {
    if (!(error instanceof RemoteCallError)) throw error;
    return { wasSent: error.wasSent, shown };
  }
}

test('sends no call if the kernel has no fleet', () => {
  expect(callRemoteKernel(null, { countHop() {} })).toBeUndefined();
});

test('sends the current trace as a header, and none if there is none', async () => {
  const { url, traces } = await kernelThat(response => response.end('{"done":{"output":"done"}}\n'));
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  await inTrace({ traceparent }, () => call(url));
  await call(url);
  expect(traces).toEqual([traceparent, undefined]);
});

test('reads lines for every split', async () => {
  const lines = ['{"progress":"hälf"}\n', '\n', '{"done":{"output":"öne","images":[', ']}}', '\n'];
  const bytes = Buffer.from(lines.join(''));
  const { url } = await kernelThat(response => {
    for (const byte of bytes) response.write(Buffer.of(byte));
    response.end();
  });
  expect(await call(url)).toEqual({ output: { output: 'öne', images: [] }, shown: ['hälf'] });
});

test('accepts a complete output even if the connection drops after it', async () => {
  const { url } = await kernelThat(response =>
    response.write('{"done":{"output":"done","is_error":false}}\n', () => response.destroy()),
  );
  expect(await call(url)).toEqual({ output: { output: 'done', is_error: false }, shown: [] });
});

test('distinguishes a call that did not run from one that may have run, and sends neither twice', async () => {
  expect(await call(`http://127.0.0.1:${await freePort()}`)).toMatchObject({ wasSent: false });
  const stopping = await kernelThat(response => response.writeHead(503).end('{}'));
  expect(await call(stopping.url)).toMatchObject({ wasSent: false });
  const stranger = await kernelThat(response => response.end('{"done":{"output":"mine"}}\n'), 'another');
  expect(await call(stranger.url)).toMatchObject({ wasSent: false });
  const dead = await kernelThat(response => void response.destroy());
  expect(await call(dead.url)).toMatchObject({ wasSent: true });
  const dies = await kernelThat(response =>
    response.write('{"progress":"half"}\n{"done":', () => response.destroy()),
  );
  expect(await call(dies.url)).toEqual({ wasSent: true, shown: ['half'] });
  const silent = await kernelThat(response => response.end('{"progress":"half"}\n'));
  expect(await call(silent.url)).toEqual({ wasSent: true, shown: ['half'] });
  const babbling = await kernelThat(response => response.end('{"well":1}\n'));
  expect(await call(babbling.url)).toMatchObject({ wasSent: true });
  for (const { times } of [stopping, stranger, dead, dies, silent, babbling]) expect(times()).toBe(1);
});

test('disconnects when the caller aborts', async () => {
  const hungUp = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const { url } = await kernelThat(response => {
    response.on('close', hungUp.resolve);
    response.write('{"progress":"half"}\n', () => began.resolve());
  });
  const stop = new AbortController();
  const ended = call(url, stop.signal);
  await began.promise;
  stop.abort();
  await hungUp.promise;
  expect(await ended).toMatchObject({ wasSent: true });
});

test('fails a call if the answer to its question is rejected', async () => {
  const question = { question: 'Which?', header: 'Which', options: [{ label: 'This' }] };
  const { url } = await kernelThat((response, path) => {
    if (path.endsWith('/answers')) response.writeHead(400).end('{}');
    else response.write(`${JSON.stringify({ ask: 1, question })}\n`);
  });
  expect(await call(url)).toMatchObject({ wasSent: true });
});

test('cancels the questions that the other kernel cancels and those that are open at the end, no others', async () => {
  const question = { question: 'Which?', header: 'Which', options: [{ label: 'This' }] };
  let ask = 0;
  let stream: ServerResponse | undefined;
  const send = (line: object) => void stream?.write(`${JSON.stringify(line)}\n`);
  const { url, times } = await kernelThat((response, path) => {
    if (path.endsWith('/answers')) response.end('{}');
    else stream = response;
    // Each answer brings the next question; the last one is open when the call ends.
    send({ ask: ++ask, question });
    if (ask === 2) send({ unask: 2 });
    if (ask === 3) stream?.end(`${JSON.stringify({ done: { output: 'done' } })}\n`);
  });
  const cancelled: number[] = [];
  let asked = 0;
  const askOwner: Scope['askOwner'] = (_, signal) => {
    const n = ++asked;
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Scope['askOwner']>>>();
    signal.addEventListener('abort', () => {
      cancelled.push(n);
      resolve({ reason: 'expired' });
    });
    if (n === 1) resolve({ reason: 'expired' });
    return promise;
  };
  expect(await call(url, undefined, askOwner)).toEqual({ output: { output: 'done' }, shown: [] });
  expect(cancelled).toEqual([2, 3]);
  expect(times()).toBe(3);
});
