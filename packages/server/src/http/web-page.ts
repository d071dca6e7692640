/** Sends the page of the web client: at its addresses, and to browsers that navigate to an address that does not exist. */
import { createHash } from 'node:crypto';
import { RESERVED } from '@chat-kernel/web/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices } from './route.ts';

/** The page reaches only this kernel, and text cannot become code in it. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types chat-kernel',
].join('; ');

/** The page may use the microphone if its user allows it; content in its frames may not. */
export const PERMISSIONS = 'microphone=(self), camera=(), geolocation=(), display-capture=()';

/** @param status 404 at an address that does not exist: the page itself shows that */
export async function sendWebPage(
  { web, version }: Pick<AppServices, 'web' | 'version'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 404 = 200,
): Promise<FastifyReply> {
  // Only a browser that navigates to the page starts a build; other clients do not.
  if (acceptsHtml(request)) await web.prepare();
  const depth = pathOf(request).split('/').length - 2;
  const text = web.building === null ? await web.page(depth) : null;
  reply.code(status);
  if (text === null) return sendWait(reply, web.building, version);
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'permissions-policy': PERMISSIONS,
      'cache-control': 'no-cache',
    })
    .send(text);
}

/** True if a browser opens an address outside of the API, for which a page with a way back helps more than a problem. */
export const isNavigation = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  acceptsHtml(request) &&
  !RESERVED.includes(pathOf(request).split('/', 2)[1] ?? '');

const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;
const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

/** @param building the last output of the build; null if there is none and none will start */
function sendWait(reply: FastifyReply, building: string | null, version: string): FastifyReply {
  const why =
    building === null
      ? 'The web client is not built. Run <code>npm run build:web</code>.'
      : 'The web client is being built. This page reloads automatically.';
  if (building !== null) reply.header('refresh', '1');
  return page(
    reply,
    'Chat Kernel',
    `<h1>Chat Kernel</h1>
<p>Version ${version} is running at this address. ${why}</p>
<ul>
<li><a href="/apidocs">API reference</a></li>
<li><a href="/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/apidocs/errors">Error codes</a></li>
</ul>`,
  );
}

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}' +
  'code{font-size:1.05em}dt{margin-top:1rem}';
/** Returns the source expression that allows this script or style in a Content-Security-Policy. */
export const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const PLAIN_POLICY = `default-src 'none'; style-src ${cspHash(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * Sends a small page without scripts and external resources.
 * @param body HTML written here: nothing is escaped, so it must not contain text of users
 */
export function page(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PLAIN_POLICY })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
        `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>${body}</body></html>`,
    );
}
