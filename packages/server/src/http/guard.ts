/**
 * The guard: a stranger's web page can do nothing to a kernel on loopback (AUTH-4). The kernel answers only under its
 * own names, so that DNS rebinding fails, and only to pages of its own origin or of one that the settings name.
 */
import { isIP } from 'node:net';
import { KernelError, type Settings } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { urlOf } from './url.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Origin',
};
const stainless = (name: string) => `X-Stainless-${name}`;
/** Methods and headers that a page of another origin may send. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': [
    'Content-Type, Idempotency-Key, Last-Event-ID, X-File-Name, X-Service-Token',
    'Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    // Of clients of other APIs; OpenAI's own sends all of the last.
    'Authorization, X-Chat-Id',
    ...['Arch', 'Helper-Method', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime'].map(stainless),
    ...['Runtime-Version', 'Timeout'].map(stainless),
  ].join(', '),
  'access-control-max-age': '600',
};
/** Headers that a page of another origin may read. */
const EXPOSED_HEADERS =
  'X-Request-Id, X-Kernel, X-Chat-Id, Mcp-Session-Id, X-Turn-Id, X-Message-Id, X-Resumed, X-Ignored-Fields, Content-Range, Content-Disposition';

type ServerSettings = Pick<Settings['server'], 'host' | 'public_url' | 'allowed_hosts' | 'cors_origins'>;

/**
 * Puts the guard in front of all requests, those to unknown addresses included.
 * @param isGuarded whether another kernel has guarded the request
 */
export function guard(
  app: FastifyInstance,
  settings: ServerSettings,
  isGuarded: (request: FastifyRequest) => boolean = () => false,
): void {
  const hosts = new Set([...LOOPBACK_NAMES, ...settings.allowed_hosts.map(host => host.toLowerCase())]);
  const own = ownAddress(settings.host);
  if (own !== undefined) hosts.add(own);
  const origins = new Set(settings.cors_origins);
  if (settings.public_url !== null) {
    const { host, hostname, origin } = new URL(settings.public_url);
    hosts.add(host).add(hostname);
    origins.add(origin);
  }

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (isGuarded(request)) {
      done();
      return;
    }
    const named = addressNamed(request.headers.host);
    if (!named || !(hosts.has(named.host) || hosts.has(named.hostname))) {
      done(new KernelError('forbidden_host', 'The Host header names no host of server.allowed_hosts.'));
      return;
    }
    const { origin } = request.headers;
    if (origin === undefined || origin === named.origin) {
      done();
      return;
    }
    if (!origins.has(origin)) {
      done(new KernelError('forbidden_origin', 'The Origin header names no origin of server.cors_origins.'));
      return;
    }
    allow(origin, reply);
    if (isPreflight(request)) reply.code(204).headers(PREFLIGHT_HEADERS).send();
    else done();
  });
}

/**
 * The address on which the kernel listens, as a Host: modules and faces ask there. No name can be rebound to a number.
 * Undefined for a name, and for all addresses of the machine.
 */
function ownAddress(host: string): string | undefined {
  const isOne = isIP(host) !== 0 && !['0.0.0.0', '::'].includes(host);
  return isOne ? URL.parse(urlOf(host, 80))?.hostname : undefined;
}

/** The scheme is always http, which the kernel speaks; an address with https is allowed by public_url. */
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
