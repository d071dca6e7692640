/** The web client: its page at every address that it knows, and its files. Open without a token: they hold no data. */
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { page } from '../http/page.ts';
import { defineRoute, type RouteCall } from '../http/route.ts';
import type { BuiltFile } from '../web/built-files.ts';
import { tag } from './config.ts';

/** The page reaches this kernel and nothing else, and no text becomes a program in it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types chat-kernel',
].join('; ');

/** The page may use the microphone, where its owner lets it; what stands in a frame of it may not. */
const PERMISSIONS = 'microphone=(self), camera=(), geolocation=(), display-capture=()';

/** The addresses of the page; what stands behind them is for the page to say. */
const PAGES = [
  '/',
  '/chats/:id',
  '/settings',
  '/modules',
  '/machines',
  '/memory',
  '/persons',
  '/videos',
  '/books',
  '/schedules',
  '/usage',
];
const FILES = ['/manifest.webmanifest', '/service-worker.js', '/icon.svg', '/icon-192.png', '/icon-512.png'];

const html = { 200: { contentType: 'text/html', description: 'A page.' } };
const bytes = { 200: { contentType: '*/*', description: 'The bytes.' } };

export const routes = [
  ...PAGES.map(url =>
    defineRoute({
      method: 'GET',
      url,
      operationId: `getPage${nameOf(url)}`,
      summary: 'The web client',
      tag,
      hidden: true,
      responses: html,
      handler: call => sendPage(call, url.split('/').length - 2),
    }),
  ),
  ...FILES.map(url =>
    defineRoute({
      method: 'GET',
      url,
      operationId: `getFile${nameOf(url)}`,
      summary: 'A file of the web client',
      tag,
      hidden: true,
      responses: bytes,
      handler: async ({ web, request, reply }) =>
        send(reply, await web.file(url.slice(1), request.headers['accept-encoding']), 'no-cache'),
    }),
  ),
  defineRoute({
    method: 'GET',
    url: '/assets/:name',
    operationId: 'getWebAsset',
    summary: 'A file of the web client, named by its hash',
    tag,
    hidden: true,
    request: { params: z.object({ name: z.string() }) },
    responses: bytes,
    handler: async ({ web, params, request, reply }) => {
      const file = await web.file(`assets/${params.name}`, request.headers['accept-encoding']);
      return send(reply, file, 'public, max-age=31536000, immutable');
    },
  }),
];

function nameOf(url: string): string {
  return url.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());
}

async function sendPage({ web, request, reply, version }: RouteCall, depth: number): Promise<FastifyReply> {
  // A browser that goes to the page says so; whoever else asks for it starts no build.
  if (request.headers.accept?.includes('text/html')) await web.prepare();
  const text = web.building === null ? await web.page(depth) : null;
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

/** @param building what the build said last; null: there is none, and none is coming */
function sendWait(reply: FastifyReply, building: string | null, version: string): FastifyReply {
  const why =
    building === null
      ? 'The web client is not built: <code>npm run build:web</code> does it.'
      : 'The web client is being built, once. This page goes on by itself.';
  if (building !== null) reply.header('refresh', '1');
  return page(
    reply,
    'Chat Kernel',
    `<h1>Chat Kernel</h1>
<p>Version ${version} is running and takes requests at this address. ${why}</p>
<ul>
<li><a href="/apidocs">API reference</a></li>
<li><a href="/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/apidocs/errors">Error codes</a></li>
</ul>`,
  );
}

function send(reply: FastifyReply, file: BuiltFile | null, cacheControl: string): FastifyReply {
  if (file === null) throw new KernelError('not_found', 'The web client has no such file.');
  return reply
    .headers({
      'content-type': file.type,
      // A worker is held to the policy that came with its own program.
      'content-security-policy': POLICY,
      'cache-control': cacheControl,
      vary: 'Origin, Accept-Encoding',
      ...(file.encoding && { 'content-encoding': file.encoding }),
    })
    .send(file.bytes);
}
