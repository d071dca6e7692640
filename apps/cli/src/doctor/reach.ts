/** Checks that clients can reach the running kernel, directly and through the proxy. */
import { createServer } from 'node:net';
import { Guest, Module, type Settings, Stats } from '@chat-kernel/protocol';
import { formatUrl } from '@chat-kernel/server/shared';
import packageJson from '../../package.json' with { type: 'json' };
import { type Finding, ok, problem, warning } from './finding.ts';

const ANSWER_MS = 5000;
/** The kernel sends the first bytes of a stream immediately. After this time, a proxy is buffering them. */
const FIRST_BYTES_MS = 3000;
const NO_TOKEN = new Set([401, 403]);

interface Endpoint {
  about: string;
  url: string;
  token: string | undefined;
}

/**
 * @param url public address of the kernel; default: server.public_url
 * @param running address of the kernel that uses the data; null if it does not accept requests yet
 */
export async function* checkReach(
  server: Settings['server'],
  {
    url,
    token,
    running,
  }: { url: string | undefined; token: string | undefined; running: string | null | undefined },
): AsyncGenerator<Finding> {
  const direct = formatUrl(server.host, server.port);
  // The kernel may run at a different address than the current settings.
  if (running)
    yield* look({ about: 'server', url: running, token: undefined }, reason => silent(running, reason));
  else if (running === null) yield ok('server', 'the server is starting');
  else if (server.port === 0) yield ok('server', 'not tested, because it uses a free port at each start');
  else yield* look({ about: 'server', url: direct, token: undefined }, () => unanswered(direct, server));
  const front = url ?? server.public_url;
  if (front) {
    // bounded: the user's own address.
    yield* look({ about: 'proxy', url: front.replace(/\/+$/, ''), token }, async reason =>
      problem(
        'proxy',
        `can't reach ${front}: ${reason}`,
        'check that the proxy is running, and its name and certificate',
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
    yield await onSilence(describeCause(error));
    return;
  }
  if (NO_TOKEN.has(answer.status)) {
    const cure = endpoint.token
      ? 'check that --token matches the configuration of the proxy'
      : 'pass --token, or set CHAT_KERNEL_TOKEN';
    yield problem(about, `${url} requires a token (${answer.status})`, cure);
    return;
  }
  const stats = answer.ok ? await parseStats(answer) : undefined;
  if (stats === undefined) {
    yield problem(
      about,
      `the server at ${url} is not chat-kernel (${answer.status})`,
      'choose another --port, or stop that program',
    );
    return;
  }
  yield ok(about, `chat-kernel ${stats.version} answers at ${url}`);
  if (stats.version !== packageJson.version) {
    yield warning(about, `this program is ${packageJson.version}`, 'restart the server after an update');
  }
  for (const [name, state] of Object.entries(stats.modules)) {
    if (state !== 'up') yield warning(`module ${name}`, `it is ${state}`, 'see the server log');
  }
  // Through a proxy it is the same kernel.
  if (about === 'server') yield* checkTools(path => request(endpoint, path, ANSWER_MS));
  yield await checkStreams(endpoint);
}

/** Returns undefined if the answer is not from a kernel. */
async function parseStats(answer: Response): Promise<Pick<Stats, 'version' | 'modules'> | undefined> {
  // The statistics of other versions may have other fields.
  const parsed = Stats.pick({ version: true, modules: true }).safeParse(
    await answer.json().catch(() => undefined),
  );
  return parsed.success ? parsed.data : undefined;
}

/** Checks that events arrive immediately. */
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
        'its streams are not event streams',
        'check that nothing rewrites its responses',
      );
    }
    return ok(endpoint.about, `streams arrive immediately (${Math.round(performance.now() - began)} ms)`);
  } catch (error) {
    const late = (error as Error).name === 'TimeoutError';
    return problem(
      endpoint.about,
      late
        ? `streams do not arrive within ${FIRST_BYTES_MS / 1000} s, because something buffers them`
        : describeCause(error),
      'disable buffering and compression for /v1 in the proxy, as in deploy/nginx.conf and deploy/Caddyfile',
    );
  } finally {
    await reader?.cancel().catch(() => {
      // The error was reported above.
    });
  }
}

/** The kernel is running but does not answer. */
const silent = async (url: string, reason: string): Promise<Finding> =>
  problem(
    'server',
    `the running kernel does not answer at ${url}: ${reason}`,
    'see its log, or restart it (stop it with `chat-kernel stop`)',
  );

/** Finds out why nothing answers at the kernel's address: it is not running, or another program uses the port. */
async function unanswered(url: string, { host, port }: Settings['server']): Promise<Finding> {
  const code = await new Promise<string | undefined>(resolve => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
  if (code === undefined) return ok('server', `no kernel answers at ${url}; the address is free`);
  if (code === 'EADDRINUSE') {
    return problem(
      'server',
      `a program that does not answer uses ${url}`,
      'choose another --port, or stop it',
    );
  }
  return problem('server', `can't listen on ${url} (${code})`, 'choose another --host or --port');
}

/** @param ms limit for the whole answer including its body */
const request = ({ url, token }: Endpoint, path: string, ms: number): Promise<Response> =>
  fetch(url + path, {
    headers: token ? { 'x-service-token': token } : {},
    signal: AbortSignal.timeout(ms),
  });

/** Returns the code of the cause, where `fetch` stores the reason. */
function describeCause(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}

/** Kernels of other versions may have other fields. */
const READ = { name: true, problems: true } as const;
const LISTS = [
  { field: 'guests', list: Guest.pick(READ).array(), about: 'MCP server' },
  { field: 'modules', list: Module.pick(READ).array(), about: 'module' },
];
const CURE = 'correct the tool, choose another model, or turn off tools that you do not need in tools.policy';

/**
 * Reports the tools of modules and MCP servers that were skipped, or that a model does not get (WIRE-7).
 * @param request reads an address of the kernel
 */
async function* checkTools(request: (path: string) => Promise<Response>): AsyncGenerator<Finding> {
  for (const { field, list, about } of LISTS) {
    const answer: Record<string, unknown> | null = await request(`/v1/${field}`)
      .then(response => response.json())
      .catch(() => null);
    for (const { name, problems } of list.safeParse(answer?.[field]).data ?? [])
      for (const problem of problems) yield warning(`${about} ${name}`, problem, CURE);
  }
}
