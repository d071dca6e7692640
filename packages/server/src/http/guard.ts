/**
 * Guards against foreign web pages: they can do nothing to a kernel on loopback (AUTH-4). The kernel answers only under
 * its own names, so that DNS rebinding fails, and only to pages of its own origin or of one that the settings name.
 */
import { isIP, Socket } from 'node:net';
import { KernelError, type Settings } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CALLBACK_PATH, formatUrl } from './url.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Origin',
};
const stainless = (name: string) => `X-Stainless-${name}`;
/** Methods and headers that a page of another origin may send. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': [
    'Content-Type, Idempotency-Key, Last-Event-ID, X-File-Name, X-Service-Token, X-Client-Id, X-Client-Secret',
    'Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    // Headers of clients of other APIs; OpenAI's own client sends all of the last ones.
    'Authorization, X-Chat-Id',
    ...['Arch', 'Helper-Method', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime'].map(stainless),
    ...['Runtime-Version', 'Timeout'].map(stainless),
  ].join(', '),
  'access-control-max-age': '600',
};
/** Headers that a page of another origin may read. */
const EXPOSED_HEADERS =
  'X-Request-Id, X-Kernel, X-Chat-Id, Mcp-Session-Id, X-Turn-Id, X-Message-Id, X-Resumed, X-Ignored-Fields, X-Ignored-Tools, Content-Range, Content-Disposition';

/** Everything below is for programs; all other addresses are pages and their files. */
const API_PREFIXES = ['/v1/', '/openai/', '/mcp'];

const OTHER_HOST = 'The host in the Host header is not allowed. Add it to server.allowed_hosts to allow it.';
const INNER_HOST =
  'This address (server.advertise_url) is for the other kernels, which sign their requests. Use the address of the proxy, or add the host to server.allowed_hosts.';

type ServerSettings = Pick<
  Settings['server'],
  'host' | 'public_url' | 'advertise_url' | 'allowed_hosts' | 'cors_origins'
>;

/**
 * Guards all requests, including those to unknown addresses.
 * @param isGuarded whether another kernel has already guarded the request
 */
export function guard(
  app: FastifyInstance,
  settings: ServerSettings,
  isGuarded: (request: FastifyRequest) => boolean = () => false,
): void {
  const hosts = new Set([...LOOPBACK_NAMES, ...settings.allowed_hosts.map(host => host.toLowerCase())]);
  const origins = new Set(settings.cors_origins);
  if (settings.public_url !== null) {
    const { host, hostname, origin } = new URL(settings.public_url);
    hosts.add(host).add(hostname);
    origins.add(origin);
  }
  const inner = settings.advertise_url === null ? undefined : new URL(settings.advertise_url).hostname;
  const listenHost = ownAddress(settings.host);
  const isAllowed = ({ host, hostname }: URL) => hosts.has(host) || hosts.has(hostname);
  // Other kernels sign what they send to the inner address, so only programs of this machine may use it unsigned.
  const isOpen = (request: FastifyRequest, { hostname }: URL) =>
    hostname === listenHost && (hostname !== inner || isOfThisMachine(request) || isHealthCheck(request));

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (isGuarded(request)) {
      done();
      return;
    }
    const named = addressNamed(request.headers.host);
    if (named === null || !(isAllowed(named) || isOpen(request, named))) {
      done(
        new KernelError(
          'forbidden_host',
          named !== null && named.hostname === inner ? INNER_HOST : OTHER_HOST,
        ),
      );
      return;
    }
    const { origin } = request.headers;
    if (origin === undefined || origin === named.origin) {
      if (isOfOtherSite(request) && !isOpenToOtherSites(request)) {
        const detail =
          'A page of another origin sent this request (Sec-Fetch-Site), and only the files, images and pages of the kernel may be opened from there.';
        done(new KernelError('forbidden_origin', detail));
      } else done();
      return;
    }
    if (!origins.has(origin)) {
      done(
        new KernelError(
          'forbidden_origin',
          'The origin in the Origin header is not allowed. Add it to server.cors_origins to allow it.',
        ),
      );
      return;
    }
    allow(origin, reply);
    if (isPreflight(request)) reply.code(204).headers(PREFLIGHT_HEADERS).send();
    else done();
  });
}

/**
 * The listen address as a Host value: modules and faces use it. A number cannot be rebound by DNS. Undefined for a
 * name, and for all addresses of the machine.
 */
function ownAddress(host: string): string | undefined {
  const isOne = isIP(host) !== 0 && !['0.0.0.0', '::'].includes(host);
  return isOne ? URL.parse(formatUrl(host, 80))?.hostname : undefined;
}

/** Whether a program of this machine sent the request; faces call the kernel of their own process without a socket. */
const isOfThisMachine = ({ raw: { socket } }: FastifyRequest): boolean =>
  !(socket instanceof Socket) || socket.remoteAddress === socket.localAddress;

const isHealthCheck = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  url === '/healthz' || url === '/readyz';

/** The scheme is always http, which the kernel serves; an https address is allowed by public_url. */
function addressNamed(host: string | undefined): URL | null {
  const hasOtherParts = host === undefined || /[/\\?#@\s]/.test(host);
  return hasOtherParts ? null : URL.parse(`http://${host}`);
}

function allow(origin: string, reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    'cross-origin-resource-policy': 'cross-origin',
  });
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

/** Whether a browser says that a page of another origin sent the request: not all of those carry an Origin. */
function isOfOtherSite({ headers }: FastifyRequest): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
}

/** Whether a page of another origin may open the address: files and images, and by a link also pages (CONSENT-12). */
function isOpenToOtherSites({ method, headers, routeOptions: { url = '' } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (url === '/files/:id' || url === '/images/:id') return true;
  const isPage = !API_PREFIXES.some(prefix => url.startsWith(prefix));
  return (
    (isPage || url === CALLBACK_PATH) &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}
