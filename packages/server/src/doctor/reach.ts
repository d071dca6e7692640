/** The running kernel as its clients reach it: directly, and through the proxy in front of it. */
import { createServer } from 'node:net';
import { type Settings, Stats } from '@chat-kernel/protocol';
import packageJson from '../../package.json' with { type: 'json' };
import { urlOf } from '../http/url.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const ANSWER_MS = 5000;
/** The kernel writes the first bytes of a stream at once; a proxy that is this late holds them back. */
const FIRST_BYTES_MS = 3000;
const NO_TOKEN = new Set([401, 403]);

interface Endpoint {
  about: string;
  url: string;
  token: string | undefined;
}

/** @param url address under which clients reach the kernel; default: server.public_url */
export async function* checkReach(
  server: Settings['server'],
  { url, token }: { url: string | undefined; token: string | undefined },
): AsyncGenerator<Finding> {
  const direct = urlOf(server.host, server.port);
  if (server.port === 0) yield ok('server', 'it takes a free port at each start, so it is not looked for');
  else yield* look({ about: 'server', url: direct, token: undefined }, () => unanswered(direct, server));
  const front = url ?? server.public_url;
  if (front) {
    // bounded: the owner's own address.
    yield* look({ about: 'proxy', url: front.replace(/\/+$/, ''), token }, async reason =>
      problem(
        'proxy',
        `${front} can't be reached: ${reason}`,
        'see that the proxy runs, and its name and certificate',
      ),
    );
  }
}

async function* look(
  endpoint: Endpoint,
  onSilence: (reason: string) => Promise<Finding>,
): AsyncGenerator<Finding> {
  const { about, url } = endpoint;
  let answer: Response;
  try {
    answer = await request(endpoint, '/v1/stats', ANSWER_MS);
  } catch (error) {
    yield await onSilence(reasonOf(error));
    return;
  }
  if (NO_TOKEN.has(answer.status)) {
    const cure = endpoint.token
      ? 'see that --token is the one in the configuration of the proxy'
      : 'say --token, or set CHAT_KERNEL_TOKEN';
    yield problem(about, `${url} wants a token (${answer.status})`, cure);
    return;
  }
  const stats = answer.ok ? await statsOf(answer) : undefined;
  if (stats === undefined) {
    yield problem(
      about,
      `what answers at ${url} is no chat-kernel (${answer.status})`,
      'choose another --port, or end that program',
    );
    return;
  }
  yield ok(about, `chat-kernel ${stats.version} answers at ${url}`);
  if (stats.version !== packageJson.version) {
    yield warning(about, `this program is ${packageJson.version}`, 'start the kernel again after an update');
  }
  for (const [name, state] of Object.entries(stats.modules)) {
    if (state !== 'up')
      yield warning(`module ${name}`, `it is ${state}`, 'see what it says in the log of the kernel');
  }
  yield await checkStreams(endpoint);
}

/** Returns undefined where no kernel gave the answer. */
async function statsOf(answer: Response): Promise<Pick<Stats, 'version' | 'modules'> | undefined> {
  // The statistics of another version may have more fields, or fewer.
  const parsed = Stats.pick({ version: true, modules: true }).safeParse(
    await answer.json().catch(() => undefined),
  );
  return parsed.success ? parsed.data : undefined;
}

/** Looks whether events arrive when they are sent. */
async function checkStreams(endpoint: Endpoint): Promise<Finding> {
  const began = performance.now();
  let reader: ReadableStreamDefaultReader | undefined;
  try {
    const response = await request(endpoint, '/v1/events', FIRST_BYTES_MS);
    reader = response.body!.getReader();
    await reader.read();
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return problem(
        endpoint.about,
        'its streams are no event streams',
        'see that nothing rewrites its answers',
      );
    }
    return ok(endpoint.about, `streams arrive at once (${Math.round(performance.now() - began)} ms)`);
  } catch (error) {
    const late = (error as Error).name === 'TimeoutError';
    return problem(
      endpoint.about,
      late
        ? `streams do not arrive within ${FIRST_BYTES_MS / 1000} s: something holds them back`
        : reasonOf(error),
      'turn off buffering and compression for /v1 in the proxy, as deploy/nginx.conf and deploy/Caddyfile do',
    );
  } finally {
    await reader?.cancel().catch(() => {
      // A broken stream has been reported above.
    });
  }
}

/** Tells why nobody answers at the kernel's own address: it does not run, or another program holds the port. */
async function unanswered(url: string, { host, port }: Settings['server']): Promise<Finding> {
  const code = await new Promise<string | undefined>(resolve => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
  if (code === undefined) return ok('server', `no kernel runs; ${url} is free for it`);
  if (code === 'EADDRINUSE') {
    return problem(
      'server',
      `a program that does not answer holds ${url}`,
      'choose another --port, or end it',
    );
  }
  return problem('server', `${url} can't be listened on (${code})`, 'choose another --host or --port');
}

/** @param ms limit of the whole answer, its body included */
const request = ({ url, token }: Endpoint, path: string, ms: number): Promise<Response> =>
  fetch(url + path, {
    headers: token ? { 'x-service-token': token } : {},
    signal: AbortSignal.timeout(ms),
  });

/** Returns the code of the cause, in which `fetch` hides what happened. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}
