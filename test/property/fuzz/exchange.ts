/** Sends a request of the fuzzer and checks the response: documented, and never an internal error, for any request. */
import { EventStream } from '../../harness/event-stream.ts';
import { bytesOf, exchange } from '../../harness/http.ts';
import type { TestKernel } from '../../harness/kernel.ts';
import type { Described, Drawn } from './requests.ts';
import { World } from './world.ts';

export interface Outcome {
  status: number;
  /** Only problems have a code. */
  code?: string;
  detail?: string;
  /** As sent, with its placeholders filled in. */
  sent: string | Buffer | undefined;
}

/** Streams are read for this long before their turn is stopped. */
const STREAM_MS = 150;

/** Generous, because no machine and no model is slow here. */
const PATIENCE_MS = 5_000;

/** Throws if the response is not documented or reports an internal error. */
export async function sendDrawn(
  kernel: TestKernel,
  directory: string,
  described: Described,
  drawn: Drawn,
): Promise<Outcome> {
  const world = new World(kernel, directory);
  try {
    const path = await world.filled(drawn.path);
    const sent = typeof drawn.body === 'string' ? await world.filled(drawn.body) : drawn.body;
    const filled = { ...drawn, path, ...(sent !== undefined && { body: sent }) };
    const answer = await inTime(ask(kernel, described, filled));
    return { ...answer, sent };
  } finally {
    await world.end();
    if (described.operationId === 'sleep') await kernel.api.post('/v1/sleep/wake');
  }
}

/** Rejects if the response does not arrive, which is a finding, too. */
async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer came')), PATIENCE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

async function ask(
  { url, api }: TestKernel,
  { method, template }: Described,
  { path, headers, body }: Drawn,
) {
  const document = await api.document();
  // Node omits it for methods that rarely have a body, and then the request is not valid HTTP.
  const framing: Record<string, string> =
    body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const asked = { method, headers: { ...headers, ...framing }, ...(body !== undefined && { body }) };
  const incoming = await exchange(url + path, asked);
  const status = incoming.statusCode ?? 0;
  const contentType = incoming.headers['content-type']?.split(';')[0];
  const answered = { method, path: template, status, contentType };
  if (contentType === 'text/event-stream') {
    document.checkAnswer({ ...answered, body: undefined });
    const { template: at, operation } = document.operation(method, template);
    const schema = operation.responses[status]?.content?.[contentType]?.schema?.$ref.split('/').at(-1);
    const stream = new EventStream(incoming, document, schema);
    await drained(stream, at === '/v1/chats/{id}/messages' ? () => api.post(cancelOf(path)) : undefined);
    return { status };
  }
  const bytes = await bytesOf(incoming);
  const isJson = /[/+]json$/.test(contentType ?? '');
  const json = bytes.length === 0 ? undefined : isJson ? JSON.parse(bytes.toString()) : bytes;
  document.checkAnswer({ ...answered, body: json });
  if (status >= 500 && json.code !== 'upstream_error') {
    throw new Error(`${method} ${path} → ${status} ${JSON.stringify(json)}`);
  }
  return status >= 400 ? { status, code: json.code as string, detail: json.detail as string } : { status };
}

const cancelOf = (path: string): string => path.replace(/\/messages.*$/, '/cancel?queued=true');

/** Reads to the end. If that takes long, the turn is cancelled; a stream without a turn is closed. */
async function drained(stream: EventStream, cancel: (() => Promise<unknown>) | undefined): Promise<void> {
  const closed = stream.closed();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(() => resolve('late'), cancel ? STREAM_MS : STREAM_MS / 5);
  });
  if ((await Promise.race([closed, late])) === 'late') {
    if (cancel) await cancel();
    else stream.hangUp();
  }
  clearTimeout(timer);
  await closed;
}
