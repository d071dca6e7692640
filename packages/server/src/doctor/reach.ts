/** A kernel that runs, as its clients see it: directly, and through the proxy in front of it. */
import { createServer } from 'node:net';
import { type Settings, Stats } from '@chat-kernel/protocol';
import packageJson from '../../package.json' with { type: 'json' };
import { type Finding, ok, problem, warning } from './finding.ts';

const ANSWER_MS = 5000;
/** The kernel writes the first bytes of a stream at once; so much later, somebody holds them back. */
const FIRST_BYTES_MS = 3000;
const NO_TOKEN = new Set([401, 403]);

interface Way {
  about: string;
  url: string;
  token: string | undefined;
}

/** @param url the address under which clients reach the kernel; default: server.public_url */
export async function* reach(
  { server }: Settings,
  { url, token }: { url: string | undefined; token: string | undefined },
): AsyncGenerator<Finding> {
  const host = server.host.includes(':') ? `[${server.host}]` : server.host;
  const direct = `http://${host}:${server.port}`;
  if (server.port === 0) yield ok('server', 'it takes a free port at each start, so it is not looked for');
  else yield* look({ about: 'server', url: direct, token: undefined }, () => unanswered(direct, server));
  const front = url ?? server.public_url;
  if (front) {
    yield* look({ about: 'proxy', url: front.replace(/\/+$/, ''), token }, async reason =>
      problem(
        'proxy',
        `${front} can't be reached: ${reason}`,
        'see that the proxy runs, and its name and certificate',
      ),
    );
  }
}

async function* look(way: Way, silent: (reason: string) => Promise<Finding>): AsyncGenerator<Finding> {
  const { about, url } = way;
  let answer: Response;
  try {
    answer = await ask(way, '/v1/stats', ANSWER_MS);
  } catch (error) {
    yield await silent(reasonOf(error));
    return;
  }
  if (NO_TOKEN.has(answer.status)) {
    const cure = way.token
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
  yield await streams(way);
}

/** Undefined where the answer is not that of a kernel. */
async function statsOf(answer: Response): Promise<Pick<Stats, 'version' | 'modules'> | undefined> {
  // Another version of the kernel may tell more, or less.
  const parsed = Stats.pick({ version: true, modules: true }).safeParse(
    await answer.json().catch(() => undefined),
  );
  return parsed.success ? parsed.data : undefined;
}

/** Whether events arrive when they are sent. */
async function streams(way: Way): Promise<Finding> {
  const began = performance.now();
  let reader: ReadableStreamDefaultReader | undefined;
  try {
    const response = await ask(way, '/v1/events', FIRST_BYTES_MS);
    reader = response.body!.getReader();
    await reader.read();
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return problem(way.about, 'its streams are no event streams', 'see that nothing rewrites its answers');
    }
    return ok(way.about, `streams arrive at once (${Math.round(performance.now() - began)} ms)`);
  } catch (error) {
    const late = (error as Error).name === 'TimeoutError';
    return problem(
      way.about,
      late
        ? `streams do not arrive within ${FIRST_BYTES_MS / 1000} s: something holds them back`
        : reasonOf(error),
      'turn off buffering and compression for /v1 in the proxy, as deploy/nginx.conf and deploy/Caddyfile do',
    );
  } finally {
    await reader?.cancel().catch(() => {
      // It broke, as was said.
    });
  }
}

/** Nobody answers at the kernel's own address: it does not run, or another program sits there. */
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

/** After so long it is over with the answer, and with its body. */
const ask = ({ url, token }: Way, path: string, ms: number): Promise<Response> =>
  fetch(url + path, {
    headers: token ? { 'x-service-token': token } : {},
    signal: AbortSignal.timeout(ms),
  });

/** fetch hides what happened in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}
